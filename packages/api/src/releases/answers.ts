import { type BreakCluster, type ExampleAnswer, rowNameOfKey } from "@trainwatch/core";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { sideOf } from "./cell-samples.ts";
import { loadComparison } from "./load-comparison.ts";
import { assertCandidate } from "./open-release.ts";
import { nameInSet } from "./sample-name.ts";
import { releaseInput } from "./schemas.ts";

const MOST_ANSWERS = 50;

const answersInput = releaseInput.extend({
  scorecardId: idInput,
  from: z.number().int().nonnegative().default(0),
  limit: z.number().int().min(1).max(MOST_ANSWERS).default(MOST_ANSWERS),
});

/** What a list shows of an answer. */
const ANSWER_CHARACTERS = 300;

type Example = NonNullable<BreakCluster["example"]>;

/** What a candidate said to the examples of what it breaks, in the order of its clusters: `limit` clusters from `from` on, all of them at once. */
export const releaseAnswers = readVerb.input(answersInput).query(async ({ ctx, input }): Promise<readonly ExampleAnswer[]> => {
  const { releaseId, scorecardId, from, limit } = input;
  const { records } = ctx.store;
  const release = required(await records.releases.get(releaseId), "release", releaseId);
  assertCandidate(release, scorecardId);
  const { comparison } = await loadComparison(ctx, { release, overrides: await records.releases.overrides(releaseId), records });
  const column = comparison.columns.findIndex((each) => each.scorecardId === scorecardId);
  const clusters = comparison.breaks.find((each) => each.column === column)?.clusters ?? [];
  const examples = clusters.slice(from, from + limit).flatMap(({ example }) => example ?? []);
  const places = await placesOf(ctx, scorecardId, examples);
  const texts = await textsOf(ctx, places);
  return examples.map((example, index) => {
    const place = places[index] ?? null;
    const answer = place === null ? null : (texts.get(place.setId)?.get(place.name)?.answer ?? null);
    return { rowKey: example.rowKey, key: example.key, epoch: example.epoch, answer: answer?.slice(0, ANSWER_CHARACTERS) ?? null };
  });
});

interface Place {
  readonly setId: number;
  readonly name: string;
}

/** Where the text of each example lies; null where the candidate has none. The samples of a task are read once, however many examples are of it. */
async function placesOf(
  { store }: Pick<ApiContext, "store">,
  scorecardId: number,
  examples: readonly Example[],
): Promise<readonly (Place | null)[]> {
  const taskOf = (example: Example): string | null => rowNameOfKey(example.rowKey)?.task ?? null;
  const places = new Map<Example, Place>();
  for (const task of new Set(examples.map(taskOf))) {
    if (task === null) continue;
    const stored = await store.evaluations.columns([scorecardId], task);
    for (const example of examples.filter((each) => taskOf(each) === task)) {
      const side = sideOf(scorecardId, example.rowKey, stored);
      const name = side === null ? null : nameInSet(example, side);
      if (side !== null && name !== null) places.set(example, { setId: side.setId, name });
    }
  }
  return examples.map((example) => places.get(example) ?? null);
}

async function textsOf({ store }: Pick<ApiContext, "store">, places: readonly (Place | null)[]) {
  const wanted = new Map<number, string[]>();
  for (const place of places) if (place !== null) wanted.set(place.setId, [...(wanted.get(place.setId) ?? []), place.name]);
  const found = new Map<number, Awaited<ReturnType<typeof store.evaluations.texts>>>();
  for (const [setId, names] of wanted) found.set(setId, await store.evaluations.texts(setId, names));
  return found;
}
