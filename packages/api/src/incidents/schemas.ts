import { INCIDENT_STATES, LABELS, SEVERITIES, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput, pageInput } from "../page-input.ts";

export const incidentInput = z.object({ incidentId: idInput });

const reason = textSchema.trim().max(2_000);

export const listIncidentsInput = z
  .object({
    /** Empty: any. */
    states: z.array(z.enum(INCIDENT_STATES)).max(INCIDENT_STATES.length).default([]),
    severities: z.array(z.enum(SEVERITIES)).max(SEVERITIES.length).default([]),
    /** What people said of the alarm; `none`: nothing so far. */
    labels: z
      .array(z.enum([...LABELS, "none"]))
      .max(LABELS.length + 1)
      .default([]),
    runId: idInput.nullable().default(null),
    ...pageInput,
  })
  .prefault({});

/** Why: it goes into the timeline. Empty where nothing is to be said. */
export const incidentWithReasonInput = z.object({ incidentId: idInput, reason: reason.default("") });
