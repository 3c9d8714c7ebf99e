import { rolesOf, type Finding, type FindingRole } from "@trainwatch/core";

/** Findings of one incident in one answer: a fabric that fails accuses hundreds of devices (F1), and nobody reads the next. */
export const MOST_FINDINGS = 200;

/** Which are left out last. */
const FIRST: Readonly<Record<FindingRole, number>> = { initiator: 0, cascade: 1, teardown: 2, note: 3 };

/** As many of them as are shown, in their own order; where some are left out, what began it stays, and what it brought about before what clearing up said and before notes. */
export function shownFindings(findings: readonly Finding[], most = MOST_FINDINGS): readonly Finding[] {
  if (findings.length <= most) return findings;
  const roles = rolesOf({ findings });
  const rank = ({ id }: Finding): number => FIRST[roles.get(id) ?? "note"];
  const kept = new Set([...findings].sort((a, b) => rank(a) - rank(b)).slice(0, most));
  return findings.filter((finding) => kept.has(finding));
}
