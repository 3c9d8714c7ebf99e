import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { canonicalJson } from "../ingest/canonical-json.ts";
import { type NumberColumns, encodeNumbers } from "./block-columns.ts";
import { type KeyEntry, readKeys } from "./sample-keys.ts";

const compress = promisify(gzip);
/** Texts that are compressed together: a page of samples opens a few of these, and none of the rest. */
export const TEXTS_A_CHUNK = 32;

/** What makes samples one set within their file. */
export interface SetName {
  readonly kind: "sample" | "pair";
  readonly scorecardId: number;
  /** Of pairs: the right one. */
  readonly opponentId: number | null;
  readonly task: string;
  readonly filter: string;
  readonly judge: string | null;
  readonly lengthUnit: string | null;
}

export interface NewBlock {
  readonly set: SetName;
  readonly settings: unknown;
  readonly keys: readonly KeyEntry[];
  readonly clusters: readonly (string | null)[];
  readonly categories: readonly (string | null)[];
  readonly numbers: NumberColumns;
  /** JSON-safe, in the order of `keys`. */
  readonly texts: readonly unknown[];
}

export const setKey = (set: SetName): string => canonicalJson(set);

/** Samples that earlier parts of the file have brought to these sets, as JSON of their entries, by the set's key. */
export async function storedKeys(
  client: pg.ClientBase,
  fileId: number,
  sets: readonly SetName[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await client.query<{ key: string; keys: string }>(
    "SELECT s.key, b.keys FROM eval_set s JOIN eval_block b ON b.set_id = s.id WHERE s.file_id = $1 AND s.key = ANY($2::text[])",
    [fileId, sets.map(setKey)],
  );
  const found = new Map<string, Set<string>>();
  for (const row of rows) {
    const known = found.get(row.key) ?? new Set<string>();
    for (const entry of readKeys(row.keys)) known.add(JSON.stringify(entry));
    found.set(row.key, known);
  }
  return found;
}

/** Stores one block a set; each set at most once a call. */
export async function storeBlocks(client: pg.ClientBase, fileId: number, part: number, blocks: readonly NewBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  const { rows: sets } = await client.query<{ id: number; key: string }>(
    `INSERT INTO eval_set AS known (file_id, kind, scorecard_id, opponent_id, task, filter, judge, length_unit, settings, count, key)
     SELECT $1, kind, scorecard_id, opponent_id, task, filter, judge, length_unit, settings::jsonb, count, key
     FROM unnest($2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int[], $11::text[])
       AS new (kind, scorecard_id, opponent_id, task, filter, judge, length_unit, settings, count, key)
     ON CONFLICT (file_id, key) DO UPDATE SET count = known.count + excluded.count RETURNING id, key`,
    [
      fileId,
      ...(["kind", "scorecardId", "opponentId", "task", "filter", "judge", "lengthUnit"] as const).map((field) =>
        blocks.map(({ set }) => set[field]),
      ),
      blocks.map(({ settings }) => JSON.stringify(settings)),
      blocks.map(({ keys }) => keys.length),
      blocks.map(({ set }) => setKey(set)),
    ],
  );
  const ids = new Map(sets.map(({ id, key }) => [key, id]));
  const { rows: stored } = await client.query<{ id: number; setId: number }>(
    `INSERT INTO eval_block (part, set_id, count, columns, keys, clusters, categories, numbers)
     SELECT $1, * FROM unnest($2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[]) RETURNING id, set_id AS "setId"`,
    [
      part,
      blocks.map(({ set }) => ids.get(setKey(set))),
      blocks.map(({ keys }) => keys.length),
      blocks.map(({ numbers }) => JSON.stringify([...numbers.keys()])),
      blocks.map(({ keys }) => JSON.stringify(keys)),
      blocks.map(({ clusters }) => wordsText(clusters)),
      blocks.map(({ categories }) => wordsText(categories)),
      blocks.map(({ numbers, keys }) => encodeNumbers(numbers, keys.length)),
    ],
  );
  const blockOf = new Map(stored.map(({ id, setId }) => [setId, id]));
  for (const { set, texts } of blocks) await storeTexts(client, blockOf.get(ids.get(setKey(set)) ?? 0) ?? 0, texts);
}

async function storeTexts(client: pg.ClientBase, blockId: number, texts: readonly unknown[]): Promise<void> {
  const chunks: Buffer[] = [];
  for (let from = 0; from < texts.length; from += TEXTS_A_CHUNK)
    chunks.push(await compress(JSON.stringify(texts.slice(from, from + TEXTS_A_CHUNK)), { level: 4 }));
  await client.query(
    "INSERT INTO eval_text (block_id, chunk, body) SELECT $1, place - 1, body FROM unnest($2::bytea[]) WITH ORDINALITY AS new (body, place)",
    [blockId, chunks],
  );
}

/** Null where there is no word at all. */
function wordsText(words: readonly (string | null)[]): string | null {
  return words.every((word) => word === null) ? null : JSON.stringify(words);
}
