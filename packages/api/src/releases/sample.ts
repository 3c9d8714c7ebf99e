import { AppError, type SampleSide, type SampleTexts, textSchema } from "@trainwatch/core";
import type { StoredSampleText } from "@trainwatch/store";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { readVerb } from "../procedures.ts";
import { cellSamples, type CellSide } from "./cell-samples.ts";
import { nameInSet, type SampleName } from "./sample-name.ts";
import { cellInput } from "./schemas.ts";

const sampleInput = cellInput.extend({ key: textSchema.min(1).max(256), epoch: z.number().int().nonnegative().default(0) });

/** One sample with both answers. */
export const releaseSample = readVerb.input(sampleInput).query(async ({ ctx, input }): Promise<SampleTexts> => {
  const { key, epoch } = input;
  const cell = await cellSamples(ctx, input);
  const baseline = await readText(ctx, cell.baseline, { key, epoch });
  const candidate = await readText(ctx, cell.candidate, { key, epoch });
  if (baseline === null && candidate === null)
    throw new AppError("not-found", `Neither side of this row has a sample ${key} (epoch ${epoch}).`, { details: { key, epoch } });
  return {
    key,
    epoch,
    prompt: baseline?.prompt ?? candidate?.prompt ?? null,
    target: baseline?.target ?? candidate?.target ?? null,
    baseline: sideOf(baseline),
    candidate: sideOf(candidate),
  };
});

async function readText({ store }: Pick<ApiContext, "store">, side: CellSide | null, sample: SampleName): Promise<StoredSampleText | null> {
  const name = side === null ? null : nameInSet(sample, side);
  return side === null || name === null ? null : ((await store.evaluations.texts(side.setId, [name])).get(name) ?? null);
}

function sideOf(text: StoredSampleText | null): SampleSide | null {
  return text === null ? null : { answer: text.answer, scores: text.scores, tokens: text.tokens, latencyS: text.latencyS };
}
