import { AppError, type SampleDifferencePage } from "@trainwatch/core";
import { sampleDifferences } from "@trainwatch/decide";
import { decodeCursor, encodeCursor } from "@trainwatch/store";
import { z } from "zod";
import { pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { cellSamples } from "./cell-samples.ts";
import { nameInSet } from "./sample-name.ts";
import { cellInput } from "./schemas.ts";

const samplesInput = cellInput.extend({ only: z.enum(["all", "lost", "won", "unscored"]).default("all"), ...pageInput });
/** What a list shows of a prompt. */
const PROMPT_CHARACTERS = 300;

/** Samples that baseline and candidate have in common, the largest loss first. */
export const releaseSamples = readVerb.input(samplesInput).query(async ({ ctx, input }): Promise<SampleDifferencePage> => {
  const { baseline, candidate, better } = await cellSamples(ctx, input);
  const counts = { onlyBaseline: baseline?.column.keys.length ?? 0, onlyCandidate: candidate?.column.keys.length ?? 0 };
  if (baseline === null || candidate === null) return { items: [], total: 0, lost: 0, won: 0, unscored: 0, ...counts, next: null };
  const { items, ...totals } = sampleDifferences(baseline.column, candidate.column, better, input.only);
  const from = input.cursor === null ? 0 : Number(decodeCursor(input.cursor, 1)[0]);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new AppError("bad-request", "The cursor is not one that a page has given as `next`. Start again without it.");
  const page = items.slice(from, from + input.limit);
  const end = from + page.length;
  const named = page.map((item) => ({ item, name: nameInSet(item, baseline) ?? item.key }));
  const texts = await ctx.store.evaluations.texts(
    baseline.setId,
    named.map(({ name }) => name),
  );
  return {
    ...totals,
    items: named.map(({ item, name }) => ({ ...item, prompt: texts.get(name)?.prompt?.slice(0, PROMPT_CHARACTERS) ?? null })),
    total: items.length,
    next: end < items.length ? encodeCursor([end]) : null,
  };
});
