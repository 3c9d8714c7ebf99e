import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type pg from "pg";
import type { StoredSampleText } from "./contract.ts";
import { readKeys, sampleNames } from "./sample-keys.ts";
import { TEXTS_A_CHUNK } from "./set-rows.ts";

const decompress = promisify(gunzip);

interface Place {
  readonly name: string;
  readonly index: number;
}

/** See {@link Evaluations.texts}. Reads the keys of the set's blocks, and of their texts only the chunks that hold one that is asked for. */
export async function readTexts(
  client: pg.ClientBase,
  setId: number,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, StoredSampleText>> {
  const { rows: blocks } = await client.query<{ id: number; keys: string }>(
    "SELECT id, keys FROM eval_block WHERE set_id = $1 ORDER BY part",
    [setId],
  );
  const asked = new Set(wanted);
  const places = new Map<string, Place[]>();
  const entries = blocks.map(({ keys }) => readKeys(keys));
  const { names } = sampleNames(entries.flat());
  let from = 0;
  for (const [block, { length }] of entries.entries()) {
    const id = blocks[block]?.id ?? 0;
    for (let index = 0; index < length; index++) {
      const name = names[from + index] ?? "";
      if (!asked.has(name)) continue;
      const chunk = chunkName(id, Math.floor(index / TEXTS_A_CHUNK));
      places.set(chunk, [...(places.get(chunk) ?? []), { name, index: index % TEXTS_A_CHUNK }]);
    }
    from += length;
  }
  const { rows } = await client.query<{ blockId: number; chunk: number; body: Buffer }>(
    `SELECT block_id AS "blockId", chunk, body FROM eval_text WHERE (block_id, chunk) IN (SELECT * FROM unnest($1::int[], $2::int[]))`,
    [[...places.keys()].map((each) => Number(each.split(".")[0])), [...places.keys()].map((each) => Number(each.split(".")[1]))],
  );
  const found = new Map<string, StoredSampleText>();
  for (const { blockId, chunk, body } of rows) {
    const texts = JSON.parse((await decompress(body)).toString()) as readonly StoredSampleText[];
    for (const { name, index } of places.get(chunkName(blockId, chunk)) ?? []) {
      const text = texts[index];
      if (text !== undefined) found.set(name, text);
    }
  }
  return found;
}

const chunkName = (blockId: number, chunk: number): string => `${blockId}.${chunk}`;
