import { AppError, type Mute } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";
import { checkScope } from "../rules/check-rule.ts";

const MOST_MUTES = 500;

/**
 * Refuses a calendar that could not work. `id` is the one that is changed; null for a new one. Call it with the mutes locked.
 * @throws AppError `bad-request`, `not-found`, `conflict`
 */
export async function checkMute(records: Records, mute: Mute, id: number | null): Promise<void> {
  await checkScope(records, mute.scope);
  const { startsAtMs, endsAtMs } = mute;
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs)
    throw new AppError("bad-request", "The calendar would end before it begins.");
  const others = (await records.mutes.list()).filter((other) => other.id !== id);
  if (id === null && others.length >= MOST_MUTES)
    throw new AppError("bad-request", `There are ${MOST_MUTES} mutes already. Delete some first.`);
  const twin = others.find((other) => other.mute.name === mute.name);
  if (twin !== undefined)
    throw new AppError("conflict", `Mute ${twin.id} is called “${mute.name}” already.`, { details: { muteId: twin.id } });
}
