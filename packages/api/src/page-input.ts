import { textSchema } from "@trainwatch/core";
import { z } from "zod";

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** Every list is paged: no answer grows with the data. `cursor` is what the page before gave as `next`. */
export const pageInput = {
  limit: z.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: textSchema.max(256).nullable().default(null),
};

/** Ids are 32-bit integers in the database: a larger one names nothing. */
const MAX_ID = 2_147_483_647;

export const idInput = z.number().int().positive().max(MAX_ID);
