import { z } from "zod";
import { timeMsSchema } from "./run.ts";
import { severitySchema } from "./severity.ts";
import { textSchema } from "./text.ts";

/** Whom a rule, a mute or a channel is for. Both null: everybody. */
export const scopeOfSchema = z.object({
  runId: z.number().int().positive().nullable().default(null),
  /** `RunMetadata.cluster`. */
  cluster: textSchema.max(256).nullable().default(null),
});
export type RuleScope = z.infer<typeof scopeOfSchema>;

/** Epoch ms after which a rule holds no more and only stands in the list; null: without end. An override that was meant for a week must not hide a fault a year later. */
const untilSchema = timeMsSchema.nullable().default(null);

/** What differs from a detector's defaults. Where several apply, the narrowest scope says: run, then cluster, then everybody. */
const detectorRuleSchema = z.object({
  kind: z.literal("detector"),
  /** Id of an entry of any registry. */
  detector: textSchema.min(1).max(64),
  scope: scopeOfSchema,
  enabled: z.boolean().default(true),
  /** Findings of warning and worse are told at this severity; null leaves it to the detector. */
  severity: severitySchema.nullable().default(null),
  /** By name; what is left out keeps its default. */
  parameters: z.record(textSchema.max(64), z.number()).default({}),
  untilMs: untilSchema,
});

/** A threshold that a person has set on a metric of runs. */
const metricRuleSchema = z.object({
  kind: z.literal("metric"),
  title: textSchema.trim().min(1).max(128),
  metric: textSchema.min(1).max(256),
  condition: z.enum(["above", "below"]),
  value: z.number(),
  /** Logged points in a row before it speaks. */
  forPoints: z.number().int().min(1).max(100_000).default(1),
  /** Back on this side it is over; null: on the other side of `value`. */
  recoverValue: z.number().nullable().default(null),
  severity: severitySchema,
  scope: scopeOfSchema,
  enabled: z.boolean().default(true),
  untilMs: untilSchema,
});

export const ruleSchema = z.discriminatedUnion("kind", [detectorRuleSchema, metricRuleSchema]);
export type Rule = z.infer<typeof ruleSchema>;
export type RuleInput = z.input<typeof ruleSchema>;
export type DetectorRule = Extract<Rule, { readonly kind: "detector" }>;
export type MetricRule = Extract<Rule, { readonly kind: "metric" }>;
export type StoredRule = {
  readonly id: number;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly rule: Rule;
};

const METRIC_RULE = "rule-";

/** Id of the detector that a person's threshold is: its findings go under the rule's number. `rule-12` */
export function metricRuleDetector(ruleId: number): string {
  return `${METRIC_RULE}${ruleId}`;
}

/** Whether a detector is a threshold that a person has set. */
export function isMetricRule(detector: string): boolean {
  return detector.startsWith(METRIC_RULE) && /^\d+$/.test(detector.slice(METRIC_RULE.length));
}

/** What a person says of an alarm, for its detectors' precision. */
export const LABELS = ["right", "wrong", "unsure"] as const;
export type Label = (typeof LABELS)[number];
