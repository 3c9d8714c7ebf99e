import { z } from "zod";
import { textSchema } from "../text.ts";
import { DIMENSIONS } from "./dimension.ts";

const rowKeySchema = textSchema.min(1).max(1200);
/** What its number stands in, as measures tell theirs: "share", "%", or another. Not told: what its row stands in when it is fixed. */
const unitSchema = textSchema.max(32).optional();
const confidenceSchema = z.number().gt(0.5).lt(1).default(0.95);

/** What a candidate must hold to. Fixed before results are looked at, filled in by the comparison. */
export const gateSchema = z.discriminatedUnion("kind", [
  /** Must not lose more than `margin` on the row: shown one-sided with this confidence. */
  z.object({
    kind: z.literal("no-loss"),
    row: rowKeySchema,
    margin: z.number().nonnegative(),
    unit: unitSchema,
    confidence: confidenceSchema,
  }),
  /** The value itself; with `confidence` its one-sided bound must hold, without it the value as measured. */
  z.object({
    kind: z.literal("limit"),
    row: rowKeySchema,
    bound: z.enum(["at-least", "at-most"]),
    value: z.number(),
    unit: unitSchema,
    confidence: z.number().gt(0.5).lt(1).nullable().default(null),
  }),
  /** At most so many rows (of a dimension; null: of all) with the verdict "worse". */
  z.object({ kind: z.literal("worse-rows"), dimension: z.enum(DIMENSIONS).nullable(), most: z.number().int().nonnegative() }),
  /** The checkpoint is complete and verified. */
  z.object({ kind: z.literal("verified") }),
  /** The checkpoint is not after a turning point that the monitors have found. */
  z.object({ kind: z.literal("before-turning-point") }),
]);
export type Gate = z.infer<typeof gateSchema>;
export type GateInput = z.input<typeof gateSchema>;

/** Most gates of a release. */
export const MOST_GATES = 64;
export const gateListSchema = z.array(gateSchema).min(1).max(MOST_GATES);

export const GATE_STATES = ["pass", "fail", "unknown"] as const;
export type GateState = (typeof GATE_STATES)[number];
