import type { NoticePage } from "@trainwatch/core";
import { z } from "zod";
import { idInput, pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

/** Null: of any. */
const listNoticesInput = z
  .object({ incidentId: idInput.nullable().default(null), channelId: idInput.nullable().default(null), ...pageInput })
  .prefault({});

/** The delivery log: what was told to whom, newest first, with every try. */
export const listNotices = readVerb
  .input(listNoticesInput)
  .query(({ ctx, input }): Promise<NoticePage> => ctx.store.records.notices.list(input));
