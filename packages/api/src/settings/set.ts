import { AppError, type Settings } from "@trainwatch/core";
import { z } from "zod";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** Ten years: beyond it a number is a slip of the finger. */
const MAX_RETENTION_DAYS = 3_650;

const days = z.number().int().min(1).max(MAX_RETENTION_DAYS);

/** What is left out stays as it is. */
const setSettingsInput = z.object({
  retentionDays: days.nullable().optional(),
  fleetRawDays: days.optional(),
  fleetCellDays: days.optional(),
});

export const setSettings = adminVerb.input(setSettingsInput).mutation(({ ctx, input }): Promise<Settings> =>
  recorded(ctx, "settings.set", async (records) => {
    const before = await records.settings.get();
    const after: Settings = {
      retentionDays: input.retentionDays === undefined ? before.retentionDays : input.retentionDays,
      fleetRawDays: input.fleetRawDays ?? before.fleetRawDays,
      fleetCellDays: input.fleetCellDays ?? before.fleetCellDays,
    };
    if (after.fleetCellDays < after.fleetRawDays)
      throw new AppError(
        "bad-request",
        `What is kept of readings for ${after.fleetCellDays} days must be kept at least as long as the readings, ${after.fleetRawDays} days.`,
      );
    await records.settings.set(after, ctx.now());
    return { answer: after, target: "settings", details: { before, after } };
  }),
);
