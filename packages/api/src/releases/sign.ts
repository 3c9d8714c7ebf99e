import { createHash } from "node:crypto";
import { AppError, type ReleaseDetail, type ReleaseSignature, textSchema } from "@trainwatch/core";
import { frozenDocument } from "@trainwatch/decide";
import type { Records, StoredRelease } from "@trainwatch/store";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded, type VerbContext } from "../recorded.ts";
import { assertCandidate, lockRelease } from "./open-release.ts";
import { releaseDetail } from "./release-detail.ts";

const signInput = z.object({
  releaseId: idInput,
  /** The candidate that is to ship. */
  scorecardId: idInput,
  role: textSchema.trim().min(1).max(64),
  /** Name of the person. */
  signedAs: textSchema.trim().min(1, "give your name").max(128),
});

/**
 * Signs for a candidate in a role. The first signature freezes what is signed: the comparison, gates and overrides as they are, under a hash; each later one
 * signs the same copy, whatever results have come since.
 * @throws AppError `conflict` where a gate fails without an override, the role has signed, or another candidate was signed for
 */
export const signRelease = operateVerb.input(signInput).mutation(async ({ ctx, input }): Promise<ReleaseSignature> => {
  const { releaseId, scorecardId, role, signedAs } = input;
  // Made before anything is locked: the comparison of many samples takes a while, and within the transaction it is then at hand.
  await releaseDetail(ctx, required(await ctx.store.records.releases.get(releaseId), "release", releaseId));
  return recorded(ctx, "releases.sign", async (records) => {
    const release = await lockRelease(records, releaseId);
    assertCandidate(release, scorecardId);
    assertRole(release, role);
    const hash =
      release.frozen === null ? await freeze(ctx, records, release, scorecardId) : hashOfSame(release.frozen, release, scorecardId);
    const signature = { role, signedAs, actor: ctx.actor.name, atMs: ctx.now(), scorecardId, hash };
    if (!(await records.releases.sign({ releaseId, ...signature }))) throw roleSigned(role);
    return { answer: signature, target: `release:${releaseId}`, details: { scorecardId, role, signedAs, hash } };
  });
});

function assertRole({ spec, signedRoles }: StoredRelease, role: string): void {
  if (!spec.signers.includes(role))
    throw new AppError(
      "bad-request",
      `${role} is no role that signs release "${spec.name}": ${spec.signers.join(", ") || "none is named"}.`,
      {
        details: { role, signers: spec.signers },
      },
    );
  if (signedRoles.includes(role)) throw roleSigned(role);
}

const roleSigned = (role: string): AppError => new AppError("conflict", `The role ${role} has signed already.`, { details: { role } });

function hashOfSame(frozen: NonNullable<StoredRelease["frozen"]>, { columns }: StoredRelease, scorecardId: number): string {
  if (frozen.scorecardId === scorecardId) return frozen.hash;
  const chosen = columns.find((column) => column.scorecardId === frozen.scorecardId)?.model ?? `scorecard ${frozen.scorecardId}`;
  throw new AppError("conflict", `The first signature was for ${chosen}. To sign for another candidate, make another release.`, {
    details: { signedFor: frozen.scorecardId },
  });
}

async function freeze(ctx: VerbContext, records: Records, release: StoredRelease, scorecardId: number): Promise<string> {
  const detail = await releaseDetail(ctx, release, records);
  assertGates(detail, scorecardId);
  const atMs = ctx.now();
  const body = frozenDocument({ ...detail, chosenScorecardId: scorecardId, frozenAtMs: atMs });
  const hash = createHash("sha256").update(body).digest("hex");
  await records.releases.freeze(release.releaseId, { body, hash, rows: detail.comparison.rows.length, scorecardId, atMs });
  return hash;
}

function assertGates({ gateViews, comparison }: ReleaseDetail, scorecardId: number): void {
  const column = comparison.columns.findIndex((each) => each.scorecardId === scorecardId);
  for (const { title, gateId, cells } of gateViews) {
    const cell = cells.find((each) => each.column === column);
    if (cell === undefined) throw new Error(`gate ${gateId} is not judged for scorecard ${scorecardId}`);
    if (cell.state === "pass" || cell.override !== null) continue;
    const how = cell.state === "fail" ? "fails" : "cannot be judged";
    throw new AppError(
      "conflict",
      `${comparison.columns[column]?.model ?? "The candidate"} ${how} on the gate "${title}" (${cell.text}). Override it with a reason, or choose another candidate.`,
      {
        details: { gateId, state: cell.state },
      },
    );
  }
}
