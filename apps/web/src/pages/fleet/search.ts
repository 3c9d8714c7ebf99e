import { present, readFlag, readInteger, readText, readTexts, readWord } from "../../url/read.ts";

/** Words as `charts/fleet` has them; written here so that the route's table does not load the charts. */
const GROUPINGS = ["rack", "node", "stage"] as const;
export const SCALES = ["absolute", "peers"] as const;

/** More would not fit into a link. */
export const MAX_BAD = 64;

export interface FleetSearch {
  /** Left out: the first temperature that the fleet sends. */
  readonly metric?: string;
  readonly group?: (typeof GROUPINGS)[number];
  /** Left out: absolute. */
  readonly scale?: "peers";
  /** The run whose GPUs are outlined. */
  readonly run?: number;
  /** Shown as at, epoch ms; left out it is live. */
  readonly at?: number;
  /** Ends of the slider, epoch ms; left out the last hour. */
  readonly from?: number;
  readonly to?: number;
  /** The selected GPU. */
  readonly gpu?: string;
  /** GPUs chosen as the bad ones: what differs about them is shown. */
  readonly bad?: readonly string[];
  /** They are compared with the GPUs of the outlined run alone. */
  readonly among?: "run";
  /** In numbers. */
  readonly table?: true;
}

/** A window that ends before it begins is none; a time outside the window moves neither. */
export function readFleetSearch(raw: Record<string, unknown>): FleetSearch {
  const from = readInteger(raw["from"], 0);
  const to = readInteger(raw["to"], 0);
  const whole = from !== undefined && to !== undefined && to > from;
  return present<FleetSearch>({
    metric: readText(raw["metric"]),
    group: readWord(raw["group"], GROUPINGS),
    scale: readWord(raw["scale"], ["peers"]),
    run: readInteger(raw["run"], 1),
    at: readInteger(raw["at"], 0),
    from: whole ? from : undefined,
    to: whole ? to : undefined,
    gpu: readText(raw["gpu"]),
    bad: readTexts(raw["bad"], MAX_BAD),
    among: readWord(raw["among"], ["run"]),
    table: readFlag(raw["table"]),
  });
}

/** A search without the named parts. */
export function without<K extends keyof FleetSearch>(search: FleetSearch, ...keys: readonly K[]): FleetSearch {
  const rest = { ...search };
  for (const key of keys) delete rest[key];
  return rest;
}
