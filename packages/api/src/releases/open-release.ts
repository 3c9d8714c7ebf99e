import { AppError } from "@trainwatch/core";
import type { Records, StoredRelease } from "@trainwatch/store";
import { required } from "../not-found.ts";

/** The release, locked until the transaction ends. @throws AppError `not-found` */
export async function lockRelease(records: Records, releaseId: number): Promise<StoredRelease> {
  return required(await records.releases.lock(releaseId), "release", releaseId);
}

/** The release, locked, as long as nobody has signed it. @throws AppError `not-found`, `conflict` for one that is signed */
export async function lockUnsigned(records: Records, releaseId: number, what: string): Promise<StoredRelease> {
  const release = await lockRelease(records, releaseId);
  if (release.frozen === null) return release;
  throw new AppError(
    "conflict",
    `Release "${release.spec.name}" is signed, and ${what} would change what was signed. Make another release for it.`,
    { details: { releaseId } },
  );
}

/** @throws AppError `bad-request` where the scorecard is no candidate of the release */
export function assertCandidate({ spec }: StoredRelease, scorecardId: number): void {
  if (spec.candidateIds.includes(scorecardId)) return;
  throw new AppError("bad-request", `Scorecard ${scorecardId} is no candidate of release "${spec.name}".`, { details: { scorecardId } });
}
