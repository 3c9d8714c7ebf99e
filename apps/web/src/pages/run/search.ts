import type { Axis } from "@trainwatch/core";
import { SCALE_KINDS, type ScaleKind } from "@trainwatch/ui/charts/prepare";
import { present, readFlag, readInteger, readNumber, readText, readWord } from "../../url/read.ts";

export const AXES = ["step", "tokens", "time"] as const satisfies readonly Axis[];
/** `charts` is where the page opens and leaves no trace in the URL. */
export const TABS = ["charts", "post-training", "metrics", "checkpoints", "events"] as const;
export type Tab = (typeof TABS)[number];
/** Time constants offered, in steps. */
export const SMOOTHINGS = [5, 20, 100, 500] as const;
export const MAX_LANES = 8;
/** Of the fleet, under the run's own. */
export const MAX_FLEET_LANES = 2;

/** All that the page shows can be read from its URL, so that a link shows another reader the same. */
export interface RunSearch {
  readonly tab?: Tab;
  readonly axis?: Axis;
  /** On `axis`; left out is open: from the beginning, to the newest point and live. */
  readonly from?: number;
  readonly to?: number;
  /** Lanes, in order; left out are the usual ones. */
  readonly metrics?: readonly string[];
  /** Metrics of the run's GPUs, drawn under its own. */
  readonly fleet?: readonly string[];
  /** Scales that differ from the lane's own. */
  readonly scale?: Readonly<Record<string, ScaleKind>>;
  /** Lanes that show every value instead of fitting the ordinary ones. */
  readonly full?: readonly string[];
  /** Time constant of the smoothing, in steps. */
  readonly smooth?: number;
  /** One attempt alone instead of the effective view. */
  readonly attempt?: string;
  /** A second run laid over. */
  readonly compare?: number;
  /** The finding that is selected. */
  readonly finding?: string;
  /** The lanes in numbers. */
  readonly table?: true;
}

function readTexts(raw: unknown): readonly string[] | undefined {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const found = [...new Set(given.flatMap((item) => readText(item) ?? []))].slice(0, MAX_LANES);
  return found.length === 0 ? undefined : found;
}

function readScales(raw: unknown): Readonly<Record<string, ScaleKind>> | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const found = Object.entries(raw).flatMap(([metric, kind]): [string, ScaleKind][] => {
    const scale = readWord(kind, SCALE_KINDS);
    return scale === undefined ? [] : [[metric, scale]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found.slice(0, MAX_LANES * 2));
}

/** Reads what a link says; a range that ends before it begins is none. */
export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const from = readNumber(raw["from"]);
  const to = readNumber(raw["to"]);
  const backwards = from !== undefined && to !== undefined && to <= from;
  const tab = readWord(raw["tab"], TABS);
  return present<RunSearch>({
    tab: tab === "charts" ? undefined : tab,
    axis: readWord(raw["axis"], AXES),
    from: backwards ? undefined : from,
    to: backwards ? undefined : to,
    metrics: readTexts(raw["metrics"]),
    fleet: readTexts(raw["fleet"])?.slice(0, MAX_FLEET_LANES),
    scale: readScales(raw["scale"]),
    full: readTexts(raw["full"]),
    smooth: SMOOTHINGS.find((constant) => constant === readInteger(raw["smooth"], 1)),
    attempt: readText(raw["attempt"]),
    compare: readInteger(raw["compare"], 1),
    finding: readText(raw["finding"]),
    table: readFlag(raw["table"]),
  });
}

/** A search without the named parts. */
export function without<K extends keyof RunSearch>(search: RunSearch, ...keys: readonly K[]): RunSearch {
  const rest = { ...search };
  for (const key of keys) delete rest[key];
  return rest;
}
