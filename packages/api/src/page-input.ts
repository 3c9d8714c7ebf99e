import { z } from "zod";

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** Every list is paged: no answer grows with the data. `cursor` is what the page before gave as `next`. */
export const pageInput = {
  limit: z.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().max(256).nullable().default(null),
};

export const idInput = z.number().int().positive();
