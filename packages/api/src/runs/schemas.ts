import { RUN_STATES, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput, pageInput } from "../page-input.ts";

export const runInput = z.object({ runId: idInput });

export const listRunsInput = z
  .object({
    /** Part of `project/name`, in any case. */
    search: textSchema.trim().max(200).default(""),
    /** Empty: any state. */
    states: z.array(z.enum(RUN_STATES)).max(RUN_STATES.length).default([]),
    archived: z.boolean().default(false),
    ...pageInput,
  })
  .prefault({});

export const listMetricsInput = z.object({
  runId: idInput,
  /** Part of the metric's name, in any case. */
  search: textSchema.trim().max(200).default(""),
  ...pageInput,
});

export const deleteRunInput = z.object({
  runId: idInput,
  /** The run's name as the person typed it: deleting cannot be undone. */
  confirmName: textSchema.max(256),
});

const positive = z.number().positive();

/** A field left out stays as it is; null takes the fact back. */
export const setMetadataInput = z.object({
  runId: idInput,
  gpus: positive.int().max(10_000_000).nullable().optional(),
  tokensPerStep: positive.nullable().optional(),
  targetSteps: positive.int().nullable().optional(),
  checkpointEvery: positive.int().nullable().optional(),
  cluster: textSchema.trim().min(1).max(256).nullable().optional(),
});

const axis = z.enum(["step", "tokens", "time"]);

export const convertRangeInput = z.object({
  runId: idInput,
  fromAxis: axis,
  toAxis: axis,
  /** Null is open and stays open. */
  from: z.number().nullable(),
  to: z.number().nullable(),
});
