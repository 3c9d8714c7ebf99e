import { textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../page-input.ts";

export const releaseInput = z.object({ releaseId: idInput });
/** One cell of the comparison: a row and a candidate. */
export const cellInput = z.object({ releaseId: idInput, rowKey: textSchema.min(1).max(1200), scorecardId: idInput });

const SHORTEST_REASON = 10;
/** It stands in the release for as long as that is looked at. */
export const reasonInput = textSchema
  .trim()
  .min(SHORTEST_REASON, `say why in at least ${SHORTEST_REASON} characters: the release keeps it for those who read it later`)
  .max(2_000);
