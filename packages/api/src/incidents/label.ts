import { LABELS, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { announceIncident } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { unmerged } from "./unmerged.ts";

const labelInput = z.object({ incidentId: idInput, label: z.enum(LABELS), reason: textSchema.trim().max(2_000).default("") });

/** Whether the alarm was right: what its detectors' precision is made of. Said again, the newest word stands, and the timeline keeps all of them. */
export const labelIncident = operateVerb.input(labelInput).mutation(async ({ ctx, input: { incidentId, label, reason } }) => {
  const run = await recorded(ctx, "incidents.label", async (records) => {
    // A merge takes the label over: it must not come between.
    await records.incidents.lockFolds();
    const stored = unmerged(required(await records.incidents.get(incidentId), "incident", incidentId));
    const nowMs = ctx.now();
    await records.labels.set(incidentId, label, reason, ctx.actor.name, nowMs);
    const text = `Labelled ${label}${reason === "" ? "" : `: ${reason}`}`;
    await records.incidents.addTimeline(incidentId, { kind: "labelled", atMs: nowMs, step: null, actor: ctx.actor.name, text });
    const details = { label, before: stored.labelled?.label ?? null, ...(reason === "" ? {} : { reason }) };
    return { answer: stored.run, target: `incident:${incidentId}`, details };
  });
  announceIncident(ctx, run);
  return { incidentId, label };
});
