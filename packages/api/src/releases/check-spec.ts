import { AppError, type ReleaseSpec } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";

/**
 * Names of the models of a spec, the baseline first.
 * @throws AppError `not-found` for a scorecard that is not there, `bad-request` where one stands twice, `conflict` where another release has the name
 */
export async function checkSpec(records: Records, spec: ReleaseSpec, releaseId: number | null): Promise<readonly string[]> {
  const ids = [spec.baselineId, ...spec.candidateIds];
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined)
    throw new AppError("bad-request", `Scorecard ${twice} stands twice among baseline and candidates. Name each once.`, {
      details: { scorecardId: twice },
    });
  if (new Set(spec.signers).size !== spec.signers.length) throw new AppError("bad-request", "A role of the signers is named twice.");
  const cards = await records.scorecards.known(ids);
  const missing = ids.find((id) => cards.every(({ scorecardId }) => scorecardId !== id));
  if (missing !== undefined)
    throw new AppError("not-found", `There is no scorecard ${missing}. It may have been deleted with its run; choose another one.`, {
      details: { scorecard: missing },
    });
  const holder = await records.releases.named(spec.name);
  if (holder !== null && holder !== releaseId) throw nameTaken(spec.name);
  return cards.map(({ model }) => model);
}

export function nameTaken(name: string): AppError {
  return new AppError("conflict", `There is a release "${name}" already. Give this one another name.`, { details: { name } });
}
