import type { Cause } from "@trainwatch/core";
import { linkSuspectOf, suspectOf } from "./accusation.ts";
import type { Accusation, Suspect } from "./accusation.ts";

/** A cause with whom it accuses, and what the facts say of it together. */
export interface Hypothesis {
  readonly cause: Cause;
  readonly suspect: Suspect | null;
  /** Facts that bear on it, with the natural logarithm that each adds; 0 where another of its origin has said it already. */
  readonly weighed: readonly { readonly accusation: Accusation; readonly log: number }[];
  /** Their sum. */
  readonly log: number;
}

/** Suspects of one cause that are worth a line. */
const MOST_SUSPECTS = 5;
/** GPUs of one node accused about as strongly: within this factor it is the node that is accused. */
const AS_STRONG = Math.log(3);

/** One hypothesis of a cause for each suspect, strongest first; one without a suspect where nobody is accused, or the accused are cleared further than anybody else is. */
export function hypothesesOf(cause: Cause, accusations: readonly Accusation[]): readonly Hypothesis[] {
  const bearing = accusations.filter(({ logs }) => (logs.get(cause) ?? 0) !== 0);
  const whom = cause === "network" ? linkSuspectOf : cause === "hardware" ? suspectOf : null;
  const nobody = weigh(cause, null, whom === null ? bearing : bearing.filter((accusation) => whom(accusation) === null), null);
  if (whom === null) return [withStage(nobody)];
  const suspects = new Map<string, Suspect>();
  for (const accusation of bearing) {
    const suspect = whom(accusation);
    if (suspect === null) continue;
    const key = `${suspect.kind} ${suspect.id}`;
    // A replay often names its GPU only: where it is, another fact has told.
    suspects.set(key, { ...suspect, nodeId: suspect.nodeId ?? suspects.get(key)?.nodeId ?? null });
  }
  for (const node of sharedNodes([...suspects.values()])) suspects.set(`node ${node}`, { kind: "node", id: node, nodeId: node });
  const each = settleNodes([...suspects.values()].map((suspect) => weigh(cause, suspect, bearing, whom)));
  const ranked = each.sort((a, b) => b.log - a.log || (idOf(a) < idOf(b) ? -1 : 1)).slice(0, MOST_SUSPECTS);
  const [best] = ranked;
  if (best === undefined || best.log < nobody.log) return [nobody];
  return ranked.filter(({ log }) => log > 0 || log === best.log);
}

function idOf({ suspect }: Hypothesis): string {
  return suspect?.id ?? "";
}

/** Adds up what bears on a suspect: of each origin the strongest for and the strongest against. */
function weigh(
  cause: Cause,
  suspect: Suspect | null,
  bearing: readonly Accusation[],
  whom: ((accusation: Accusation) => Suspect | null) | null,
): Hypothesis {
  const own = bearing.filter((accusation) => suspect === null || whom === null || concerns(whom(accusation), suspect));
  const strongest = new Map<string, Accusation>();
  for (const accusation of own) {
    const log = accusation.logs.get(cause) ?? 0;
    const key = `${accusation.origin} ${log > 0}`;
    const held = strongest.get(key);
    if (held === undefined || Math.abs(log) > Math.abs(held.logs.get(cause) ?? 0)) strongest.set(key, accusation);
  }
  const counted = new Set(strongest.values());
  const weighed = own
    .map((accusation) => ({ accusation, log: counted.has(accusation) ? (accusation.logs.get(cause) ?? 0) : 0 }))
    .sort((a, b) => Math.abs(b.log) - Math.abs(a.log));
  return { cause, suspect, weighed, log: weighed.reduce((sum, { log }) => sum + log, 0) };
}

/** A fact about nobody bears on all; one about a node on its GPUs, one about a GPU on its node. */
function concerns(whom: Suspect | null, suspect: Suspect): boolean {
  if (whom === null || (whom.kind === suspect.kind && whom.id === suspect.id)) return true;
  if (whom.nodeId === null || whom.nodeId !== suspect.nodeId) return false;
  return whom.kind === "node" || suspect.kind === "node";
}

/** Nodes of which more than one part is accused. */
function sharedNodes(suspects: readonly Suspect[]): readonly string[] {
  const nodes = suspects.flatMap(({ kind, nodeId }) => (kind === "gpu" && nodeId !== null ? [nodeId] : []));
  return [...new Set(nodes.filter((node, index) => nodes.indexOf(node) !== index))];
}

/** A node or its GPUs, never both: the node where two or more of them are accused about as strongly, or none; else the GPU, of which the node's facts speak as well. */
function settleNodes(all: readonly Hypothesis[]): Hypothesis[] {
  const onNode = (nodeId: string | null): readonly Hypothesis[] =>
    all.filter(({ suspect }) => nodeId !== null && suspect?.nodeId === nodeId);
  return all.filter(({ suspect }) => {
    const here = onNode(suspect?.nodeId ?? null);
    if (!here.some((other) => other.suspect?.kind === "node")) return true;
    const gpus = here.filter((other) => other.suspect?.kind === "gpu");
    const best = Math.max(...gpus.map(({ log }) => log));
    const asStrong = gpus.filter(({ log }) => log > 0 && log >= best - AS_STRONG).length;
    return suspect?.kind === "gpu" ? asStrong === 1 : suspect?.kind !== "node" || asStrong !== 1;
  });
}

/** The last stage is named where the fact names it. */
function withStage(hypothesis: Hypothesis): Hypothesis {
  const stage = hypothesis.weighed.find(({ accusation }) => accusation.subject?.kind === "stage")?.accusation.subject ?? null;
  return stage === null || hypothesis.cause !== "last-stage"
    ? hypothesis
    : { ...hypothesis, suspect: { kind: "stage", id: stage.id, nodeId: null } };
}
