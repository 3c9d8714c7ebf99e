import { FLEET_EVENT_KINDS, MAX_TIME_MS, textSchema } from "@trainwatch/core";
import { z } from "zod";

/** Epoch ms. */
export const timeInput = z.number().min(0).max(MAX_TIME_MS);
/** As at a time; null is now. */
export const atInput = z.object({ atMs: timeInput.nullable().default(null) });
export const metricInput = textSchema.min(1).max(256);
export const entityIdInput = textSchema.min(1).max(512);
export const nodeInput = textSchema.min(1).max(512);

/** A range of wall time that is not empty. */
export const rangeInput = { fromMs: timeInput, toMs: timeInput };
export function isRange({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): boolean {
  return toMs > fromMs;
}
export const RANGE_FAULT = { path: ["toMs"], message: "must be later than fromMs" };

export const eventKindsInput = z.array(z.enum(FLEET_EVENT_KINDS)).max(FLEET_EVENT_KINDS.length).default([]);
