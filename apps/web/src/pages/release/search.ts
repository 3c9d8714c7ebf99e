import { DIMENSIONS, type Dimension } from "@trainwatch/core";
import { SAMPLE_FILTERS, type SampleFilter } from "../../data/releases.ts";
import { present, readFlag, readInteger, readText, readWord } from "../../url/read.ts";

export const ROW_FILTERS = ["all", "regressions", "significant", "not-comparable"] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export interface ReleaseSearch {
  /** Left out: all rows. */
  readonly show?: RowFilter;
  readonly dimension?: Dimension;
  /** Part of a row's title, task or metric. */
  readonly q?: string;
  /** Key of the selected row. */
  readonly row?: string;
  /** Scorecard of the selected column. */
  readonly column?: number;
  /** The selected cell in full. */
  readonly detail?: true;
  readonly samples?: SampleFilter;
  /** The sample whose answers are read, and which of its epochs. */
  readonly sample?: string;
  readonly epoch?: number;
  /** Scorecard that one thinks of shipping, before it is signed. */
  readonly ship?: number;
}

export function readReleaseSearch(raw: Record<string, unknown>): ReleaseSearch {
  const show = readWord(raw["show"], ROW_FILTERS);
  return present<ReleaseSearch>({
    show: show === "all" ? undefined : show,
    dimension: readWord(raw["dimension"], DIMENSIONS),
    q: readText(raw["q"]),
    row: readKey(raw["row"], 1200),
    column: readInteger(raw["column"], 1),
    detail: readFlag(raw["detail"]),
    samples: readWord(raw["samples"], SAMPLE_FILTERS),
    sample: readKey(raw["sample"], 256),
    epoch: readInteger(raw["epoch"], 0),
    ship: readInteger(raw["ship"], 1),
  });
}

/** A key is kept whole or not at all: a cut one would name another row. */
function readKey(raw: unknown, most: number): string | undefined {
  const value = typeof raw === "number" || typeof raw === "boolean" ? String(raw) : raw;
  return typeof value === "string" && value !== "" && value.length <= most ? value : undefined;
}
