import { z } from "zod";
import { causeAssessmentSchema } from "./cause.ts";
import { FINDING_STATES, findingSchema } from "./finding.ts";
import { INCIDENT_STATES } from "./incident/incident.ts";
import { nonFiniteWordSchema } from "./non-finite.ts";
import { NOTICE_REASONS, NOTICE_STATES } from "./notice/notice.ts";
import { replaySchema } from "./replay.ts";
import { LABELS } from "./rule.ts";
import { severitySchema } from "./severity.ts";

const timeText = z.string().nullable();
const numbers = z.array(z.number().nullable());

/**
 * One line of samples as columns of equal length, frozen: later samples do not change it. A bin holds the points of the steps from `firstStep` to `lastStep`;
 * `stepsPerBin` is the most that one spans: where it is 1, nothing is averaged but ranks. Numbers are of the finite points.
 */
const exportedSeriesSchema = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  attempt: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Series behind it: more than one where it is a band over ranks. */
  members: z.number().int(),
  superseded: z.boolean(),
  stepsPerBin: z.number(),
  firstStep: z.array(z.number()),
  lastStep: z.array(z.number()),
  points: z.array(z.number()),
  mean: numbers,
  min: numbers,
  max: numbers,
  /** [bin, word, how many, step of the first]. */
  nonFinite: z.array(z.tuple([z.number(), nonFiniteWordSchema, z.number(), z.number()])),
});
export type ExportedSeries = z.infer<typeof exportedSeriesSchema>;

/** One series of a GPU, node, link or port over time, as columns of equal length; bins without a reading are null. */
const exportedFleetSeriesSchema = z.object({
  field: z.string(),
  unit: z.string(),
  entity: z.string(),
  labels: z.record(z.string(), z.string()),
  /** A counter is told as what it gained a second. */
  isRate: z.boolean(),
  /** Beginning of each bin, epoch ms, UTC. */
  startMs: z.array(z.number()),
  readings: z.array(z.number()),
  mean: numbers,
  min: numbers,
  max: numbers,
});
export type ExportedFleetSeries = z.infer<typeof exportedFleetSeriesSchema>;

/** How many of a list there are and how many of them are here: no export grows without bound. */
const shareSchema = z.object({ shown: z.number().int(), total: z.number().int() });

/** Times are ISO 8601, UTC; steps are optimizer steps. Fields may be added, never renamed. */
export const incidentExportContentSchema = z.object({
  incident: z.object({
    id: z.number().int(),
    run: z.string().nullable(),
    attempt: z.string().nullable(),
    title: z.string(),
    severity: severitySchema,
    state: z.enum(INCIDENT_STATES),
    findingState: z.enum(FINDING_STATES),
    ongoing: z.boolean(),
    /** The attempt that has followed its own and took nothing of it over. */
    replacedBy: z.string().nullable().default(null),
    onsetStep: z.number().nullable(),
    onset: timeText,
    detected: timeText,
    opened: z.string(),
    endStep: z.number().nullable(),
    end: timeText,
    owner: z.string().nullable(),
    flaps: z.number().int(),
    regressionOf: z.number().int().nullable(),
    /** The elder incident that has its findings now. */
    mergedInto: z.number().int().nullable().default(null),
    merged: z.array(z.number().int()).default([]),
    gpuHoursPerHour: z.number().nullable(),
    gpuHoursSoFar: z.number().nullable(),
    costUnknown: z.string().nullable(),
    label: z.object({ label: z.enum(LABELS), reason: z.string(), by: z.string(), at: z.string() }).nullable(),
  }),
  findings: z.array(findingSchema),
  causes: causeAssessmentSchema.nullable(),
  action: z.object({ text: z.string(), confidence: z.object({ word: z.string(), share: z.number().nullable() }) }).nullable(),
  decisions: z.array(z.object({ verdict: z.enum(["accepted", "declined"]), reason: z.string(), actor: z.string(), at: z.string() })),
  replays: z.array(replaySchema.extend({ actor: z.string(), at: z.string() })),
  timeline: z.array(z.object({ at: timeText, step: z.number().nullable(), actor: z.string(), kind: z.string(), text: z.string() })),
  notices: z.array(
    z.object({
      channel: z.string(),
      reason: z.enum(NOTICE_REASONS),
      at: z.string(),
      state: z.enum(NOTICE_STATES),
      tries: z.array(z.object({ at: z.string(), ok: z.boolean(), status: z.number().nullable(), message: z.string() })),
    }),
  ),
  series: z.array(exportedSeriesSchema),
  fleetSeries: z.array(exportedFleetSeriesSchema),
  /** What is not here, and why, in words. */
  leftOut: z.array(z.string()),
  shares: z.object({ findings: shareSchema, timeline: shareSchema, series: shareSchema, fleetSeries: shareSchema }),
});
export type IncidentExportContent = z.infer<typeof incidentExportContentSchema>;

/** An incident as it stood at a moment, with its data: what a post-mortem is written from and can be checked against. */
export const incidentExportSchema = z.object({
  kind: z.literal("trainwatch-incident"),
  version: z.literal(1),
  exportedAt: z.string(),
  /** Version of Trainwatch. */
  generator: z.string(),
  /** SHA-256, hex, of `content` as JSON without white space: the same facts have the same hash, whenever they were exported. */
  contentHash: z.string(),
  content: incidentExportContentSchema,
});
export type IncidentExport = z.infer<typeof incidentExportSchema>;
