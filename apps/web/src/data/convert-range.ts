import { useQueryClient } from "@tanstack/react-query";
import type { RangeQuestion } from "./series.ts";
import { useTRPC } from "./trpc.ts";

/** The same stretch of a run on another axis; open ends stay open. */
export interface ConvertedRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Asks once, for a switch of the axis or a jump to a step; rejects where the server cannot tell. */
export function useConvertRange(): (question: RangeQuestion) => Promise<ConvertedRange> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async (question) => {
    if (question.fromAxis === question.toAxis || (question.from === null && question.to === null))
      return { from: question.from, to: question.to };
    const { from, to } = await queries.fetchQuery(trpc.runs.convertRange.queryOptions(question));
    return { from, to };
  };
}
