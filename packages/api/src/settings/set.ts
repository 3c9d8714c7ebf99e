import type { Settings } from "@trainwatch/core";
import { z } from "zod";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** Ten years: beyond it a number is a slip of the finger. */
const MAX_RETENTION_DAYS = 3_650;

const setSettingsInput = z.object({ retentionDays: z.number().int().min(1).max(MAX_RETENTION_DAYS).nullable() });

export const setSettings = adminVerb.input(setSettingsInput).mutation(({ ctx, input }): Promise<Settings> =>
  recorded(ctx, "settings.set", async (records) => {
    const before = await records.settings.get();
    await records.settings.set(input, ctx.now());
    return { answer: input, target: "settings", details: { before, after: input } };
  }),
);
