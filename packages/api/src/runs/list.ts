import type { RunPage } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { listRunsInput } from "./schemas.ts";

/** Answered from rows of runs and incidents alone: no sample is read, however many a run has (A13). */
export const listRuns = readVerb.input(listRunsInput).query(({ ctx, input }): Promise<RunPage> => ctx.store.records.runs.list(input));
