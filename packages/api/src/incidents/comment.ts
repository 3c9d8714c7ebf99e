import { textSchema } from "@trainwatch/core";
import { z } from "zod";
import { announceIncident } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { unmerged } from "./unmerged.ts";

const MOST_CHARACTERS = 4_000;

const commentInput = z.object({
  incidentId: idInput,
  /** Markdown; shown as such, never as HTML. */
  text: textSchema.trim().min(1, "say something").max(MOST_CHARACTERS),
});

/** A person's words for those who come later. They change nothing about the incident, and also fit one that is resolved. */
export const commentIncident = operateVerb.input(commentInput).mutation(async ({ ctx, input: { incidentId, text } }) => {
  const { run, atMs } = await recorded(ctx, "incidents.comment", async (records) => {
    const stored = unmerged(required(await records.incidents.get(incidentId), "incident", incidentId));
    const entry = { kind: "comment" as const, atMs: ctx.now(), step: null, actor: ctx.actor.name, text };
    await records.incidents.addTimeline(incidentId, entry);
    return { answer: { run: stored.run, atMs: entry.atMs }, target: `incident:${incidentId}`, details: { characters: text.length } };
  });
  announceIncident(ctx, run);
  return { incidentId, atMs };
});
