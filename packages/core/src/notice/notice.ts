import { z } from "zod";
import { scopeOfSchema } from "../rule.ts";
import { severitySchema } from "../severity.ts";
import { textSchema } from "../text.ts";

/** Where notices go. The signing secret of a webhook is kept apart and never answered. */
export const channelSchema = z.object({
  name: textSchema.trim().min(1).max(128),
  /** `slack`: an incoming webhook of Slack. `webhook`: our JSON, signed. */
  kind: z.enum(["slack", "webhook"]),
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** Least severity that is told here; `info` never is. */
  minSeverity: z.enum(["warning", "critical"]).default("critical"),
  enabled: z.boolean().default(true),
  scope: scopeOfSchema,
});
export type Channel = z.infer<typeof channelSchema>;
export type StoredChannel = {
  readonly id: number;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly hasSecret: boolean;
  readonly channel: Channel;
};

/** Why somebody is told. At most three of an incident, unless it escalates, or what was told of as two turns out to be one (`merged`). */
export const NOTICE_REASONS = ["opened", "escalated", "reopened", "over", "resolved", "merged"] as const;
export type NoticeReason = (typeof NOTICE_REASONS)[number];
/** `muted`: a calendar kept it back. It is told when the calendar ends, if what it tells of still goes on and nobody has taken it; else it stays as a record. */
export const NOTICE_STATES = ["waiting", "delivered", "failed", "muted"] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** What a notice says; the body of the generic webhook. Fields may be added, never renamed. */
export const noticeSchema = z.object({
  version: z.literal(1),
  /** The same for every try: receivers drop repeats by it. */
  id: z.string(),
  reason: z.enum(NOTICE_REASONS),
  incidentId: z.number().int(),
  /** Incidents that turned out to be this one, so far: what was told of them belongs here. */
  merged: z.array(z.number().int()).default([]),
  severity: severitySchema,
  title: z.string(),
  run: z.string().nullable(),
  attempt: z.string().nullable(),
  /** ISO 8601, UTC. */
  since: z.string().nullable(),
  sinceStep: z.number().nullable(),
  ongoing: z.boolean(),
  flaps: z.number().int(),
  /** What is proposed, in words; null before there is advice. */
  action: z.string().nullable(),
  /** The likeliest cause with its word; null where nothing is known. */
  cause: z.string().nullable(),
  /** How it ended, for `over` and `resolved`. */
  ended: z.string().nullable(),
  /** Null where the server does not know its own address. */
  url: z.string().nullable(),
});
export type NoticeBody = z.infer<typeof noticeSchema>;
