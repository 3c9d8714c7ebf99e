import { type EvalSample, fromJsonNumber, promptNumber } from "@trainwatch/core";
import type pg from "pg";
import { scoreColumn } from "./block-columns.ts";
import { grouped } from "./grouped.ts";
import { type NewBlock, type SetName, setKey, storeBlocks, storedKeys } from "./set-rows.ts";
import { keyEntry } from "./sample-keys.ts";
import type { Indexed, Tally } from "./tally.ts";

export interface SampleToStore extends Indexed<EvalSample> {
  readonly scorecardId: number;
}

/** Metrics that samples of one set and part may have; more are no metrics but names made of something else. */
const MOST_METRICS = 128;

/** Stores samples, a block a set. The same key twice in a set is refused: a pair could not be made of it. */
export async function storeSamples(
  client: pg.ClientBase,
  { fileId, part }: { readonly fileId: number; readonly part: number },
  samples: readonly SampleToStore[],
  tally: Tally,
): Promise<void> {
  const bySet = grouped(samples, (sample) => setKey(setOf(sample)));
  const groups = [...bySet.values()].map((group) => ({ set: setOf(group[0] ?? fail()), group }));
  const stored = await storedKeys(
    client,
    fileId,
    groups.map(({ set }) => set),
  );
  const blocks = groups.flatMap(({ set, group }) => blockOf(set, group, new Set(stored.get(setKey(set))), tally) ?? []);
  await storeBlocks(client, fileId, part, blocks);
}

function fail(): never {
  throw new Error("a group without a member");
}

function setOf({ scorecardId, record }: SampleToStore): SetName {
  const { task, filter } = record;
  return { kind: "sample", scorecardId, opponentId: null, task, filter: filter ?? "", judge: null, lengthUnit: null };
}

function blockOf(set: SetName, group: readonly SampleToStore[], taken: Set<string>, tally: Tally): NewBlock | null {
  const metrics = new Set<string>();
  const kept = group.filter(({ index, record }) => {
    const name = JSON.stringify(keyEntry(record.key, record.epoch));
    const fault = taken.has(name) ? "conflict" : tooMany(metrics, record) ? "bad-value" : null;
    if (fault === null) {
      taken.add(name);
      for (const metric of Object.keys(record.scores)) metrics.add(metric);
      tally.accept();
      return true;
    }
    const message =
      fault === "conflict"
        ? `Sample ${record.key} of ${record.task} (epoch ${record.epoch}) comes twice in the file.`
        : `The samples of ${record.task} have more than ${MOST_METRICS} metrics.`;
    tally.refuse(index, fault, message);
    return false;
  });
  if (kept.length === 0) return null;
  const records = kept.map(({ record }) => record);
  const numbers = new Map<string, Float64Array>();
  for (const metric of metrics)
    numbers.set(
      scoreColumn(metric),
      numbersOf(records, ({ scores }) => fromJsonNumber(scores[metric] ?? null)),
    );
  if (records.some(({ tokens }) => tokens !== null))
    numbers.set(
      "tokens",
      numbersOf(records, ({ tokens }) => tokens),
    );
  if (records.some(({ latencyS }) => latencyS !== null))
    numbers.set(
      "latencyS",
      numbersOf(records, ({ latencyS }) => latencyS),
    );
  if (records.some(({ prompt }) => prompt !== null))
    numbers.set(
      "prompt",
      numbersOf(records, ({ prompt }) => promptNumber(prompt)),
    );
  return {
    set,
    settings: records[0]?.settings ?? {},
    keys: records.map(({ key, epoch }) => keyEntry(key, epoch)),
    clusters: records.map(({ cluster }) => cluster),
    categories: records.map(({ category }) => category),
    numbers,
    texts: records.map(({ prompt, target, answer, tokens, latencyS, scores }) => ({ prompt, target, answer, tokens, latencyS, scores })),
  };
}

function tooMany(metrics: ReadonlySet<string>, { scores }: EvalSample): boolean {
  return metrics.size + Object.keys(scores).filter((metric) => !metrics.has(metric)).length > MOST_METRICS;
}

function numbersOf<Record>(records: readonly Record[], read: (record: Record) => number | null): Float64Array {
  return Float64Array.from(records, (record) => read(record) ?? Number.NaN);
}
