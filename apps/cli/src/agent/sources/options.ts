import { z } from "zod";
import { durationSchema } from "../config/units.ts";

/** Keys that every source has. @param every how often it is read where the configuration does not say */
export function sourceOptions<Kind extends string>(kind: Kind, every: string) {
  return {
    kind: z.literal(kind),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "must be 1 to 64 letters, digits, _, . or -")
      .default(kind)
      .describe("names it in readings and events; unique"),
    every: durationSchema.prefault(every).describe("how often it is read"),
  };
}

/** An IANA zone for times that name none. */
export const zoneSchema = z.string().refine(isZone, "must be an IANA zone, such as Europe/Paris or UTC");

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
