import { z } from "zod";
import { scopeOfSchema } from "../rule.ts";
import { timeMsSchema } from "../run.ts";
import { textSchema } from "../text.ts";
import { isTimeZone } from "./zone-time.ts";

const clockText = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * When nobody is to be told. Findings and incidents are made all the same. `from` and `to` are wall clock times in `zone`; `to` at or before `from` ends on the next day.
 * Days and clock follow the zone through daylight saving.
 */
export const muteSchema = z.object({
  name: textSchema.trim().min(1).max(128),
  /** IANA name, such as `Europe/Berlin`. */
  zone: textSchema.min(1).max(64).refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin"),
  /** 1 Monday to 7 Sunday: days on which it begins. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  from: z.string().regex(clockText, "must be HH:MM"),
  to: z.string().regex(clockText, "must be HH:MM"),
  /** Epoch ms between which the calendar holds; null: without end. */
  startsAtMs: timeMsSchema.nullable().default(null),
  endsAtMs: timeMsSchema.nullable().default(null),
  /** Empty: all. */
  detectors: z.array(textSchema.max(64)).max(64).default([]),
  /** `warning` mutes tickets and leaves pages alone. */
  upTo: z.enum(["warning", "critical"]).default("warning"),
  scope: scopeOfSchema,
});
export type Mute = z.infer<typeof muteSchema>;
export type StoredMute = { readonly id: number; readonly createdBy: string; readonly createdAtMs: number; readonly mute: Mute };
