import type { ReleaseSummary } from "@trainwatch/core";
import type { StoredRelease } from "@trainwatch/store";

export function releaseSummary(release: StoredRelease): ReleaseSummary {
  const { releaseId, spec, createdAtMs, createdBy, columns, gatesFixedAtMs, gates, frozen, signedRoles } = release;
  const [baseline, ...candidates] = columns;
  const chosen = frozen === null ? undefined : columns.find(({ scorecardId }) => scorecardId === frozen.scorecardId);
  return {
    releaseId,
    spec,
    createdAtMs,
    createdBy,
    baseline: baseline?.model ?? "",
    candidates: candidates.map(({ model }) => model),
    gatesFixedAtMs,
    gates,
    chosen: chosen?.model ?? null,
    chosenScorecardId: frozen?.scorecardId ?? null,
    signed: signedRoles.length,
    complete: frozen !== null && spec.signers.every((role) => signedRoles.includes(role)),
  };
}
