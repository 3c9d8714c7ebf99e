import { z } from "zod";

const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { B: 1, kB: 1_000, MB: 1e6, GB: 1e9, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 } as const;

/** `10s`, `500ms`, `1h`; parsed to milliseconds. */
export const durationSchema = measured(MS, "a time with its unit, such as 10s, 500ms or 1h");

/** `512MiB`, `2GB`; parsed to bytes. */
export const sizeSchema = measured(BYTES, "a size with its unit, such as 64KiB, 512MiB or 2GB");

function measured(units: Readonly<Record<string, number>>, what: string) {
  return z.string(`must be ${what}`).transform((text, context) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(text.trim()) ?? [];
    const factor = unit === undefined ? undefined : units[unit];
    if (number !== undefined && factor !== undefined && Number(number) > 0) return Number(number) * factor;
    context.addIssue({ code: "custom", message: `must be ${what}; ${JSON.stringify(text)} is not` });
    return z.NEVER;
  });
}
