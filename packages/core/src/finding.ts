import { z } from "zod";
import { causeFactSchema } from "./cause.ts";
import { jsonNumberSchema } from "./non-finite.ts";
import { severitySchema } from "./severity.ts";

export const FINDING_STATES = ["ongoing", "recovered", "shifted", "diverged", "non-finite", "stalled"] as const;
export type FindingState = (typeof FINDING_STATES)[number];

export const subjectSchema = z.object({
  /** What is accused: a run, a rank, a pipeline stage, a GPU by UUID, a node, an NVLink, a network port, an NVSwitch (ids as in `Entity`), or the logger. */
  kind: z.enum(["run", "rank", "stage", "gpu", "node", "link", "port", "switch", "logger"]),
  id: z.string(),
});
export type Subject = z.infer<typeof subjectSchema>;

export const evidenceSchema = z.object({
  text: z.string(),
  weight: z.enum(["for", "against", "neutral"]),
  value: jsonNumberSchema,
  unit: z.string().nullable(),
  /** Where the fact comes from: a metric, a line of a file, a catalogue. */
  source: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Where the subject is, as far as it is known: a rank's GPU and node at the time, a GPU's rank. Ids as in `Entity`. */
export const findingPlaceSchema = z.object({
  rank: z.number().int().nullable(),
  gpuId: z.string().nullable(),
  nodeId: z.string().nullable(),
  host: z.string().nullable(),
});
export type FindingPlace = z.infer<typeof findingPlaceSchema>;

/** One detector's statement about one subject. Steps are optimizer steps; times are epoch milliseconds, UTC. */
export const findingSchema = z.object({
  id: z.string(),
  fingerprint: z.string(),
  detector: z.string(),
  version: z.number().int(),
  /** Name of the attempt within its run (`a1`); empty where the subject ran nothing that we watch. */
  attempt: z.string(),
  metric: z.string(),
  subject: subjectSchema,
  severity: severitySchema,
  state: z.enum(FINDING_STATES),
  onsetStep: z.number().int().nullable(),
  /** Lower end of the onset's 90 % interval: the step a rollback must lie before. */
  onsetLowerStep: z.number().int().nullable(),
  detectedStep: z.number().int().nullable(),
  peakStep: z.number().int().nullable(),
  endStep: z.number().int().nullable(),
  onsetTimeMs: z.number().nullable(),
  detectedTimeMs: z.number().nullable(),
  /** When it was over, for findings that know no step. */
  endTimeMs: z.number().nullable().default(null),
  /** A jump rises at once, a ramp over many samples: it decides the rollback margin. */
  shape: z.enum(["jump", "ramp", "point"]),
  /** Value at the peak and the frozen baseline level it is compared with, in the metric's unit. */
  peakValue: jsonNumberSchema,
  baselineValue: jsonNumberSchema,
  /** Level after minus level before with its standard error, in the metric's unit; null until the series settles. */
  levelShift: z.object({ value: z.number(), standardError: z.number() }).nullable(),
  /** One sentence: what, how much, where it began, how it stands. */
  summary: z.string(),
  evidence: z.array(evidenceSchema),
  place: findingPlaceSchema.nullable().default(null),
  /** What of it bears on the cause, for `rankCauses`: evidence that a program can weigh. */
  facts: z.array(causeFactSchema).default([]),
});
export type Finding = z.infer<typeof findingSchema>;
