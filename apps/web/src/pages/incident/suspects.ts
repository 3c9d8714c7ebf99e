import { deviceTitle, gpuOfFinding, nodeOfFinding, rolesOf, type CauseAssessment, type Finding, type FindingRole } from "@trainwatch/core";

/** One thing that findings accuse, with what they say of it. */
export interface Suspect {
  readonly key: string;
  readonly kind: "gpu" | "node" | "rank" | "stage" | "other";
  /** Id as in `Entity`: a GPU with the links that are accused on it, a node with its ports and switches. */
  readonly id: string;
  readonly gpuId: string | null;
  readonly nodeId: string | null;
  readonly host: string | null;
  readonly rank: number | null;
  readonly role: FindingRole;
  /** Belief that it is the cause, 0 to 1; null where no cause names it. */
  readonly share: number | null;
  readonly findings: readonly Finding[];
  /** What is said of it first. */
  readonly fact: string;
}

export interface Suspects {
  /** What began it first, then by belief, then by onset. */
  readonly listed: readonly Suspect[];
  /** Those whose findings all came of clearing up: they are victims, and only counted. */
  readonly folded: readonly Suspect[];
}

const ROLE_ORDER: readonly FindingRole[] = ["initiator", "cascade", "note", "teardown"];

/** Findings by what they accuse. A run as a whole and its logger are no suspects. */
export function suspectsOf(findings: readonly Finding[], assessment: CauseAssessment | null): Suspects {
  const roles = rolesOf({ findings });
  const roleOf = (finding: Finding): FindingRole => roles.get(finding.id) ?? "note";
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const suspects = [...groups].map(([key, own]) =>
    suspectOf(
      key,
      own.toSorted((a, b) => rankOf(roleOf(a)) - rankOf(roleOf(b))),
      roleOf,
      assessment,
    ),
  );
  const sorted = suspects.toSorted(
    (a, b) =>
      Number(b.role === "initiator") - Number(a.role === "initiator") ||
      (b.share ?? -1) - (a.share ?? -1) ||
      rankOf(a.role) - rankOf(b.role) ||
      onsetOf(a) - onsetOf(b) ||
      (a.key < b.key ? -1 : 1),
  );
  return { listed: sorted.filter(({ role }) => role !== "teardown"), folded: sorted.filter(({ role }) => role === "teardown") };
}

function keyOf(finding: Finding): string | null {
  const { subject } = finding;
  if (subject.kind === "run" || subject.kind === "logger") return null;
  const gpu = gpuOfFinding(finding);
  if (gpu !== null) return `gpu ${gpu}`;
  if (subject.kind === "rank" || subject.kind === "stage") return `${subject.kind} ${subject.id}`;
  const node = nodeOfFinding(finding);
  return node === null ? `other ${subject.id}` : `node ${node}`;
}

function suspectOf(
  key: string,
  findings: readonly Finding[],
  roleOf: (finding: Finding) => FindingRole,
  assessment: CauseAssessment | null,
): Suspect {
  const [kind = "other", id = ""] = splitOnce(key);
  const [first] = findings;
  const placed = <T>(pick: (finding: Finding) => T | null): T | null =>
    findings.reduce<T | null>((found, each) => found ?? pick(each), null);
  const gpuId = placed(gpuOfFinding);
  const nodeId = placed(nodeOfFinding);
  return {
    key,
    kind: isKind(kind) ? kind : "other",
    id,
    gpuId,
    nodeId,
    host: placed(({ place }) => place?.host ?? null),
    rank: placed(rankOfFinding),
    role: first === undefined ? "note" : roleOf(first),
    share: shareOf(assessment, findings, kind === "gpu" ? gpuId : nodeId),
    findings,
    fact: first === undefined ? "" : deviceTitle(first),
  };
}

function splitOnce(key: string): readonly [string, string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at), key.slice(at + 1)];
}

function isKind(word: string): word is Suspect["kind"] {
  return word === "gpu" || word === "node" || word === "rank" || word === "stage";
}

function rankOfFinding({ place, subject }: Finding): number | null {
  if (place?.rank !== undefined && place.rank !== null) return place.rank;
  const rank = subject.kind === "rank" ? Number(subject.id.slice(subject.id.lastIndexOf("/") + 1)) : Number.NaN;
  return Number.isInteger(rank) ? rank : null;
}

/** Belief in all causes that name it, or a part of it such as one of its links. */
function shareOf(assessment: CauseAssessment | null, findings: readonly Finding[], id: string | null): number | null {
  const subjects = new Set(findings.map(({ subject }) => subject.id));
  const named = (assessment?.causes ?? []).filter(
    ({ subjectId }) =>
      subjectId !== null && (subjects.has(subjectId) || subjectId === id || (id !== null && subjectId.startsWith(`${id}/`))),
  );
  return named.length === 0 ? null : named.reduce((sum, { share }) => sum + share, 0);
}

function rankOf(role: FindingRole): number {
  return ROLE_ORDER.indexOf(role);
}

function onsetOf({ findings }: Suspect): number {
  return Math.min(...findings.map(({ onsetTimeMs, onsetStep }) => onsetTimeMs ?? onsetStep ?? Number.POSITIVE_INFINITY));
}
