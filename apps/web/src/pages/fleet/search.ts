import { present, readFlag, readInteger, readText, readWord } from "../../url/read.ts";

/** Words as `charts/fleet` has them; written here so that the route's table does not load the charts. */
const GROUPINGS = ["rack", "node", "stage"] as const;
export const SCALES = ["absolute", "peers"] as const;

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
    table: readFlag(raw["table"]),
  });
}

/** A search without the named parts. */
export function without<K extends keyof FleetSearch>(search: FleetSearch, ...keys: readonly K[]): FleetSearch {
  const rest = { ...search };
  for (const key of keys) delete rest[key];
  return rest;
}
