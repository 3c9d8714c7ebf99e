import { gpuOf, SEVERITIES, STALE_AFTER_MS, worstSeverity } from "@trainwatch/core";
import type { FleetIncidentMark, FleetLayout, FleetNodeView, Severity } from "@trainwatch/core";
import { naturally } from "./groups.ts";

/** How a node's cell is drawn. A cordon goes before silence: somebody has said that it takes no work. */
export type StripState = "in-use" | "spare" | "cordoned" | "no-data";

export interface StripGroup {
  /** A run by its full name, `no run`, or how many more runs stand together. */
  readonly title: string;
  /** What fits beneath: without the project. */
  readonly label: string;
  readonly kind: "run" | "runs" | "none";
  /** Indexes into the layout's nodes, by host. */
  readonly nodes: readonly number[];
}

export interface StripMark {
  readonly node: number;
  readonly severity: Severity;
  readonly text: string;
}

/** The fleet as a strip: a cell a node, grouped by the run that it works on. */
export interface NodeStrip {
  /** The run with the most nodes first, what is in none last. */
  readonly groups: readonly StripGroup[];
  /** A node of the layout each. */
  readonly states: readonly StripState[];
  /** Worst first; a node once. Null: not known. */
  readonly marks: readonly StripMark[] | null;
  readonly counts: Readonly<Record<StripState, number>>;
}

export interface NodeStripInput {
  readonly layout: FleetLayout;
  /** Those that stand; null where they are not known. */
  readonly incidents: readonly FleetIncidentMark[] | null;
  /** Runs that get a group of their own; the smallest of more stand together. */
  readonly mostRuns: number;
}

/** Not all of them are spare: what is cordoned or silent works on no run either. */
const NO_RUN = "no run";

export function prepareNodeStrip({ layout, incidents, mostRuns }: NodeStripInput): NodeStrip {
  const runOf = runOfNodes(layout);
  const states = layout.nodes.map((node, index) => stateOf(node, layout.atMs, (runOf[index] ?? -1) >= 0));
  const counts = { "in-use": 0, spare: 0, cordoned: 0, "no-data": 0 };
  for (const state of states) counts[state]++;
  return { groups: groupsOf(layout, runOf, mostRuns), states, marks: incidents === null ? null : marksOf(layout, incidents), counts };
}

function stateOf({ cordoned, lastSampleAtMs }: FleetNodeView, atMs: number, isUsed: boolean): StripState {
  if (cordoned !== null) return "cordoned";
  if (lastSampleAtMs === null || atMs - lastSampleAtMs > STALE_AFTER_MS) return "no-data";
  return isUsed ? "in-use" : "spare";
}

/** The run that most GPUs of each node work on; -1 where none do. */
function runOfNodes({ nodes, gpu }: FleetLayout): readonly number[] {
  const tally: Map<number, number>[] = nodes.map(() => new Map());
  gpu.node.forEach((node, index) => {
    const run = gpu.run[index] ?? -1;
    const counts = tally[node];
    if (run >= 0 && counts !== undefined) counts.set(run, (counts.get(run) ?? 0) + 1);
  });
  return tally.map((counts) => [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [-1, 0])[0]);
}

function groupsOf(layout: FleetLayout, runOf: readonly number[], mostRuns: number): readonly StripGroup[] {
  const ofRun = new Map<number, number[]>();
  runOf.forEach((run, node) => {
    const nodes = ofRun.get(run);
    if (nodes === undefined) ofRun.set(run, [node]);
    else nodes.push(node);
  });
  const inOrder = (nodes: readonly number[]): readonly number[] =>
    nodes.toSorted((a, b) => naturally(hostOf(layout, a), hostOf(layout, b)));
  const runs = [...ofRun]
    .filter(([run]) => run >= 0)
    .map(([run, nodes]) => ({ title: layout.runs[run]?.name ?? "", nodes }))
    .toSorted((a, b) => b.nodes.length - a.nodes.length || naturally(a.title, b.title));
  const isTooMany = runs.length > mostRuns;
  const alone = isTooMany ? runs.slice(0, Math.max(0, mostRuns - 1)) : runs;
  const rest = runs.slice(alone.length);
  const idle = ofRun.get(-1) ?? [];
  const more = `${rest.length} ${alone.length === 0 ? "" : "more "}runs`;
  return [
    ...alone.map(({ title, nodes }): StripGroup => ({ title, label: title.replace(/^.*\//, ""), kind: "run", nodes: inOrder(nodes) })),
    ...(rest.length === 0
      ? []
      : [{ title: more, label: more, kind: "runs", nodes: inOrder(rest.flatMap(({ nodes }) => nodes)) } satisfies StripGroup]),
    ...(idle.length === 0 ? [] : [{ title: NO_RUN, label: NO_RUN, kind: "none", nodes: inOrder(idle) } satisfies StripGroup]),
  ];
}

function hostOf({ nodes }: FleetLayout, node: number): string {
  return nodes[node]?.host ?? "";
}

/** The nodes that incidents accuse, those of a GPU by where it sits. */
function marksOf(layout: FleetLayout, incidents: readonly FleetIncidentMark[]): readonly StripMark[] {
  const nodeAt = new Map(layout.nodes.map(({ id }, node) => [id, node]));
  const nodeOfGpu = new Map(layout.gpu.id.map((id, gpu) => [id, layout.gpu.node[gpu]]));
  const marks = new Map<number, StripMark>();
  for (const { severity, title, gpuIds, nodeIds } of incidents) {
    const accused = [...gpuIds.map((id) => nodeOfGpu.get(id) ?? nodeOfGpu.get(gpuOf(id))), ...nodeIds.map((id) => nodeAt.get(id))];
    for (const node of new Set(accused)) {
      if (node === undefined) continue;
      const before = marks.get(node);
      const isWorse = before === undefined || (severity !== before.severity && worstSeverity(severity, before.severity) === severity);
      if (isWorse) marks.set(node, { node, severity, text: title });
    }
  }
  return [...marks.values()].toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.node - b.node);
}
