import type { EvalPair } from "@trainwatch/core";
import type pg from "pg";
import { grouped } from "./grouped.ts";
import { type NewBlock, type SetName, setKey, storeBlocks, storedKeys } from "./set-rows.ts";
import type { Indexed, Tally } from "./tally.ts";

export interface PairToStore extends Indexed<EvalPair> {
  readonly leftId: number;
  readonly rightId: number;
}

/** Stores judgements, a block for each two models, task and judge. */
export async function storePairs(
  client: pg.ClientBase,
  { fileId, part }: { readonly fileId: number; readonly part: number },
  pairs: readonly PairToStore[],
  tally: Tally,
): Promise<void> {
  const told = pairs.filter(({ leftId, rightId, index, record }) => {
    if (leftId !== rightId) return true;
    tally.refuse(index, "bad-value", `The judgement ${record.key} of ${record.task} compares ${record.left.model} with itself.`);
    return false;
  });
  const sets = new Map(told.map((pair) => [setKey(setOf(pair)), setOf(pair)]));
  const bySet = grouped(told, (pair) => setKey(setOf(pair)));
  const stored = await storedKeys(client, fileId, [...sets.values()]);
  const blocks = [...sets].flatMap(([key, set]) => blockOf(set, bySet.get(key) ?? [], new Set(stored.get(key)), tally) ?? []);
  await storeBlocks(client, fileId, part, blocks);
}

function setOf({ leftId, rightId, record }: PairToStore): SetName {
  const { task, judge, lengthUnit } = record;
  return { kind: "pair", scorecardId: leftId, opponentId: rightId, task, filter: "", judge, lengthUnit };
}

function blockOf(set: SetName, pairs: readonly PairToStore[], taken: Set<string>, tally: Tally): NewBlock | null {
  const kept = pairs.filter(({ index, record }) => {
    const name = JSON.stringify(record.key);
    const isNew = !taken.has(name);
    taken.add(name);
    if (isNew) tally.accept();
    else
      tally.refuse(
        index,
        "conflict",
        `The judgement ${record.key} of ${record.task} comes twice in the file for the same two models and judge.`,
      );
    return isNew;
  });
  if (kept.length === 0) return null;
  const records = kept.map(({ record }) => record);
  const column = (read: (record: EvalPair) => number | null): Float64Array =>
    Float64Array.from(records, (record) => read(record) ?? Number.NaN);
  return {
    set,
    settings: {},
    keys: records.map(({ key }) => key),
    clusters: records.map(() => null),
    categories: records.map(({ category }) => category),
    numbers: new Map([
      ["preference", column(({ preference }) => preference)],
      ["leftLength", column(({ leftLength }) => leftLength)],
      ["rightLength", column(({ rightLength }) => rightLength)],
    ]),
    texts: records.map(({ prompt, leftAnswer, rightAnswer }) => ({ prompt, leftAnswer, rightAnswer })),
  };
}
