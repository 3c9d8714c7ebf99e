import { COVERAGE_STATES, type CoverageState, type FleetCoverage, type FleetSignalName } from "@trainwatch/core";
import { formatCount } from "../../../format/index.ts";
import { naturally } from "./groups.ts";

export const COVERAGE_WORDS = {
  seen: "seen",
  stale: "no longer seen",
  sentinel: "says that it has no reading",
  "constant-zero": "always 0, although the node is busy",
  missing: "never seen",
} as const satisfies Record<CoverageState, string>;

/** Neighbouring columns in one state. */
export interface CoveragePiece {
  readonly from: number;
  /** One past the last. */
  readonly to: number;
  readonly state: CoverageState;
  /** "rack E05" or "racks E05 to E07". */
  readonly title: string;
}

export interface CoverageRow {
  readonly name: string;
  readonly title: string;
  readonly pieces: readonly CoveragePiece[];
}

export interface PreparedCoverage {
  /** Racks, or hosts where no source names racks. */
  readonly columns: readonly string[];
  readonly by: "rack" | "node";
  readonly rows: readonly CoverageRow[];
  readonly blind: readonly BlindSpot[];
  readonly summary: string;
}

/** Faults that cannot be seen on some nodes, and why. */
export interface BlindSpot {
  readonly signal: string;
  readonly title: string;
  readonly blindTo: string;
  readonly nodes: number;
  readonly of: number;
  readonly state: CoverageState;
  /** Where, in few words: "E05", "c11-n07 and 4 more". */
  readonly where: string;
}

/** Columns narrower than a pixel or two are drawn as one where they are alike. */
const MERGED_ABOVE = 400;
/** More pieces in a row nobody can tell apart, and each is an element of the page: 2,048 nodes of two kinds in turn would be 16,384. */
const MOST_PIECES = 400;

/** From bad to good: of a rack the worst of its nodes is shown, because one blind node is what somebody has to know. */
const WORST_FIRST: readonly CoverageState[] = ["missing", "stale", "sentinel", "constant-zero", "seen"];

/** Signals that come and go together, for where there is room for few rows only. */
const FAMILIES: readonly { readonly title: string; readonly signals: readonly FleetSignalName[] }[] = [
  { title: "GPU fields", signals: ["activity", "temperature", "power", "clocks", "throttle", "memory"] },
  { title: "Memory errors", signals: ["ecc", "row-remap"] },
  { title: "XID", signals: ["xid"] },
  { title: "NVLink", signals: ["nvlink-errors", "nvlink-bandwidth"] },
  { title: "PCIe", signals: ["pcie"] },
  { title: "Network ports", signals: ["fabric-ports", "fabric-errors"] },
  { title: "Host", signals: ["host"] },
  { title: "Kernel log", signals: ["kernel-log"] },
];

interface RowSource {
  readonly name: string;
  readonly title: string;
  readonly states: readonly (readonly number[])[];
}

function rowSources({ signals }: FleetCoverage, fold: boolean): readonly RowSource[] {
  if (!fold) return signals.map(({ name, title, states }) => ({ name, title, states: [states] }));
  return FAMILIES.flatMap(({ title, signals: names }) => {
    const members = signals.filter((signal) => names.includes(signal.name));
    return members.length === 0 ? [] : [{ name: title, title, states: members.map(({ states }) => states) }];
  });
}

/** @param fold shows signals by families, each as its worst */
export function prepareCoverage(coverage: FleetCoverage, fold: boolean): PreparedCoverage {
  const { nodes, signals } = coverage;
  const by = nodes.some((node) => node.rack !== null) ? "rack" : "node";
  const columnOf = nodes.map((node) => (by === "rack" ? (node.rack ?? "rack unknown") : node.host));
  const columns = [...new Set(columnOf)].sort(naturally);
  const place = new Map(columns.map((title, index) => [title, index]));
  const rows = rowSources(coverage, fold).map(({ name, title, states }): CoverageRow => {
    const worst: CoverageState[] = columns.map(() => "seen");
    for (const column of states) {
      nodes.forEach((_, node) => {
        const at = place.get(columnOf[node] ?? "") ?? -1;
        const state = stateOf(column[node]);
        const before = worst[at];
        if (before !== undefined && WORST_FIRST.indexOf(state) < WORST_FIRST.indexOf(before)) worst[at] = state;
      });
    }
    return { name, title, pieces: piecesOf(worst, columns, by) };
  });
  const blind = signals.flatMap((signal) => blindSpots(coverage, signal));
  const summary =
    blind.length === 0
      ? `All ${formatCount(signals.length, "signal")} are seen on ${formatCount(nodes.length, "node")}.`
      : `${formatCount(blind.length, "gap")} on ${formatCount(nodes.length, "node")}: ${blind.map(blindWords).join("; ")}.`;
  return { columns, by, rows, blind, summary };
}

export function blindWords({ title, nodes, where, state, blindTo }: BlindSpot): string {
  return `${title} ${COVERAGE_WORDS[state]} on ${formatCount(nodes, "node")} (${where}), blind to ${blindTo}`;
}

/** What was seen and is not any more is news; what nobody has ever sent is a matter of configuration. */
function newsOf(spots: readonly BlindSpot[]): number {
  return spots[0]?.state === "stale" ? 1 : 0;
}

/** Blind spots in one sentence, those of one place and one reason together: "7 nodes (E05): NVLink errors, XID never seen". */
export function blindLine(blind: readonly BlindSpot[]): string {
  const byPlace = new Map<string, BlindSpot[]>();
  for (const spot of blind) {
    const key = `${spot.state} ${spot.where} ${spot.nodes}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), spot]);
  }
  return [...byPlace.values()]
    .sort((a, b) => newsOf(b) - newsOf(a) || b.length - a.length)
    .map((spots) => {
      const [first] = spots;
      if (first === undefined) return "";
      const all = first.nodes === first.of ? "all nodes" : `${formatCount(first.nodes, "node")} (${first.where})`;
      return `${all}: ${spots.map(({ title }) => title).join(", ")} ${COVERAGE_WORDS[first.state]}`;
    })
    .join(". ");
}

function stateOf(code: number | undefined): CoverageState {
  return COVERAGE_STATES[code ?? -1] ?? "missing";
}

function piecesOf(states: readonly CoverageState[], columns: readonly string[], by: "rack" | "node"): readonly CoveragePiece[] {
  const spans = spansOf(states, columns.length > MERGED_ABOVE);
  const few = spans.length <= MOST_PIECES ? spans : spansOf(worstOfNeighbours(states, Math.ceil(states.length / MOST_PIECES)), true);
  return few.map(({ from, to, state }) => {
    const title = to - from === 1 ? `${by} ${columns[from] ?? ""}` : `${by}s ${columns[from] ?? ""} to ${columns[to - 1] ?? ""}`;
    return { from, to, state, title };
  });
}

function spansOf(states: readonly CoverageState[], merge: boolean): readonly Omit<CoveragePiece, "title">[] {
  const spans: Omit<CoveragePiece, "title">[] = [];
  let from = 0;
  for (let to = 1; to <= states.length; to++) {
    const state = states[from];
    if (state === undefined || (merge && to < states.length && states[to] === state)) continue;
    spans.push({ from, to, state });
    from = to;
  }
  return spans;
}

/** As a rack stands for the worst of its nodes, so many columns side by side for the worst of them. */
function worstOfNeighbours(states: readonly CoverageState[], together: number): readonly CoverageState[] {
  return states.map((own, index) => {
    const from = index - (index % together);
    const neighbours = states.slice(from, from + together);
    return WORST_FIRST.find((state) => neighbours.includes(state)) ?? own;
  });
}

function blindSpots({ nodes }: FleetCoverage, signal: FleetCoverage["signals"][number]): readonly BlindSpot[] {
  return WORST_FIRST.flatMap((state): readonly BlindSpot[] => {
    if (state === "seen") return [];
    const hit = nodes.filter((_, node) => stateOf(signal.states[node]) === state);
    if (hit.length === 0) return [];
    const racks = [...new Set(hit.map((node) => node.rack))];
    const where =
      hit.length === nodes.length
        ? "all"
        : racks.length <= 3 && racks.every((rack) => rack !== null)
          ? racks.join(", ")
          : `${hit[0]?.host ?? ""}${hit.length === 1 ? "" : ` and ${hit.length - 1} more`}`;
    return [{ signal: signal.name, title: signal.title, blindTo: signal.blindTo, nodes: hit.length, of: nodes.length, state, where }];
  });
}
