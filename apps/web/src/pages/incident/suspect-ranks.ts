import { rolesOf, type Finding } from "@trainwatch/core";

/** So many lines can be told apart over one band. */
const MAX_RANKS = 4;

export interface SuspectRanks {
  /** As the series are labelled, the one that began it first. */
  readonly ranks: readonly string[];
  /** What is said of them. */
  readonly metrics: readonly string[];
  /** In which they are said to. */
  readonly attempts: readonly string[];
}

/** Ranks that findings accuse, and the metrics in which they leave their peers; null where no rank is accused. */
export function suspectRanks(findings: readonly Finding[]): SuspectRanks | null {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const accusing = [...rolesOf({ findings })]
    .filter(([, role]) => role === "initiator" || role === "cascade")
    .flatMap(([id]) => byId.get(id) ?? [])
    .filter(({ subject }) => subject.kind === "rank");
  const ranks = [...new Set(accusing.map(({ subject }) => subject.id))].slice(0, MAX_RANKS);
  const own = accusing.filter(({ subject }) => ranks.includes(subject.id));
  const distinct = (pick: (finding: Finding) => string): string[] => [...new Set(own.map(pick))];
  return own.length === 0 ? null : { ranks, metrics: distinct(({ metric }) => metric), attempts: distinct(({ attempt }) => attempt) };
}
