import { CAUSES, gpuOfFinding, nodeOfFinding } from "@trainwatch/core";
import type { Cause, CauseFact, CauseFactName, FindingPlace, Subject } from "@trainwatch/core";
import type { CauseInput, KnownFact } from "./contract.ts";
import { FACTORS, MANY_LOST } from "./factors.ts";
import { replayFacts } from "./replay-facts.ts";
import type { Trouble } from "./trouble.ts";

/** Whom a fact accuses or clears. */
export interface Suspect {
  readonly kind: Subject["kind"];
  readonly id: string;
  /** The node it is on, as far as anybody knows; its own id for a node. */
  readonly nodeId: string | null;
}

/** One fact as it bears on the causes: natural logarithms of its factors. */
export interface Accusation {
  readonly fact: CauseFactName;
  readonly value: number | null;
  readonly subject: Subject | null;
  readonly place: FindingPlace | null;
  readonly origin: string;
  readonly logs: ReadonlyMap<Cause, number>;
  readonly source: string;
}

/** Every fact of the incident that says anything in this trouble, in an order that does not depend on how they came. */
export function accusations(input: CauseInput, trouble: Trouble): readonly Accusation[] {
  const stated: readonly KnownFact[] = [
    ...input.findings.flatMap(({ facts, subject, place }) =>
      ofIncident(notOfCrowd(facts), input).map((fact) => ({ ...fact, subject, place })),
    ),
    ...input.facts,
    ...replayFacts(input.replays),
  ];
  const distinct = new Map(lostTogether(stated).map((fact) => [keyOf(fact), fact]));
  return [...distinct.entries()]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .flatMap(([, { fact, value, subject, place }]) => {
      const row = FACTORS[fact];
      const factors = row.factors(value, trouble);
      if (factors === null) return [];
      const logs = new Map(causesOf(factors).map(([cause, factor]) => [cause, Math.log(factor)]));
      return [{ fact, value, subject, place, origin: row.origin(value), logs, source: row.source }];
    });
}

/** What accuses one rank or node says nothing where the detector has seen many at once, and says so. */
function notOfCrowd(facts: readonly CauseFact[]): readonly CauseFact[] {
  return facts.some(({ fact }) => fact === "all-ranks-move") ? facts.filter(({ fact }) => !OF_ONE.has(fact)) : facts;
}
const OF_ONE = new Set<CauseFactName>(["rank-deviates", "rank-compute-slow", "node-compute-slow"]);

/** A step's outlier beside a fault that lasts says nothing of how long the fault lasts. */
function ofIncident(facts: readonly CauseFact[], { findings }: CauseInput): readonly CauseFact[] {
  const lasts = findings.some(({ severity, facts: own }) => severity !== "info" && own.every(({ fact }) => fact !== "single-step"));
  return lasts ? facts.filter(({ fact }) => fact !== "single-step") : facts;
}

/** Nodes that are lost together are one fact about none of them, with their number. */
function lostTogether(facts: readonly KnownFact[]): readonly KnownFact[] {
  const lost = facts.filter(({ fact }) => fact === "node-lost");
  const nodes = new Set(lost.map(({ subject, place }) => (subject === null ? "" : (nodeOfFinding({ subject, place }) ?? subject.id))));
  if (nodes.size < MANY_LOST) return facts;
  return [...facts.filter(({ fact }) => fact !== "node-lost"), { fact: "node-lost", value: nodes.size, subject: null, place: null }];
}

function causesOf(factors: Readonly<Partial<Record<Cause, number>>>): readonly (readonly [Cause, number])[] {
  return CAUSES.flatMap((cause) => {
    const factor = factors[cause];
    return factor === undefined ? [] : [[cause, factor] as const];
  });
}

function keyOf({ fact, value, subject, place }: KnownFact): string {
  return JSON.stringify([fact, value, subject?.kind ?? null, subject?.id ?? null, place?.gpuId ?? null, place?.nodeId ?? null]);
}

/** The GPU, else the node, else the rank that a fact is about; null where it is about the run as a whole. */
export function suspectOf({ subject, place }: Pick<Accusation, "subject" | "place">): Suspect | null {
  if (subject === null) return null;
  const nodeId = nodeOfFinding({ subject, place });
  const gpuId = gpuOfFinding({ subject, place });
  if (gpuId !== null) return { kind: "gpu", id: gpuId, nodeId };
  if (nodeId !== null) return { kind: "node", id: nodeId, nodeId };
  return subject.kind === "rank" ? { kind: "rank", id: subject.id, nodeId: null } : null;
}

/** The link, port or switch that a fact is about, else the node or rank at its end. */
export function linkSuspectOf(accusation: Pick<Accusation, "subject" | "place">): Suspect | null {
  const { subject, place } = accusation;
  if (subject === null) return null;
  const isLink = subject.kind === "link" || subject.kind === "port" || subject.kind === "switch";
  return isLink ? { kind: subject.kind, id: subject.id, nodeId: nodeOfFinding({ subject, place }) } : suspectOf(accusation);
}
