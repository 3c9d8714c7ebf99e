import { readVerb } from "../procedures.ts";
import { convertRangeInput } from "./schemas.ts";

/** The same stretch of a run on another axis: what keeps a zoom when the axis is switched (A10). */
export const convertRunRange = readVerb.input(convertRangeInput).query(({ ctx, input }) => ctx.store.samples.convertRange(input));
