import type pg from "pg";
import type { SectionReadings } from "./block-codec.ts";
import { mergeSections, sectionOfRows } from "./block-rows.ts";
import { sectionOfBlock } from "./block-table.ts";
import { windowOf } from "./contract.ts";
import { createPace } from "./pack-pace.ts";
import type { SectionKey } from "./read-keys.ts";
import { type BlockCut, readBlocks, readTail, readWindows, type TailCut, type WindowInfo } from "./read-tables.ts";

/** While a window's tail is dropped, a read may see neither it nor the blocks: it looks again. Nobody packs so fast that it would for long. */
const MAX_TRIES = 5;

/**
 * Runs `read` on one connection with the windows as they are. A window that was closed before and is packed after may have been missed on
 * both sides, and everything is read again.
 */
export async function withWindows<T>(
  pool: pg.Pool,
  fromWindow: number,
  toWindow: number,
  read: (client: pg.ClientBase, windows: readonly WindowInfo[]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await readWindows(client, fromWindow, toWindow);
      const result = await read(client, before);
      if (before.every(({ state }) => state === "packed")) return result;
      const after = new Map((await readWindows(client, fromWindow, toWindow)).map((each) => [each.windowNo, each.state]));
      if (before.every(({ windowNo, state }) => state === "packed" || after.get(windowNo) !== "packed")) return result;
    }
    throw new Error(`windows ${fromWindow} to ${toWindow} were packed ${MAX_TRIES} times while they were read`);
  } finally {
    client.release();
  }
}

/** Readings of one section in one window, at least those between the asked times. */
export interface SectionStretch {
  readonly key: number;
  readonly windowNo: number;
  readonly readings: SectionReadings;
}

/**
 * All readings of the sections in the windows that [fromMs, toMs] touches, tail and blocks together; by key and window. Only slots that are
 * wanted are sure to be there, and only times in [fromMs, toMs]. The caller bounds how much that is.
 */
export async function readStretch(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  windows: readonly WindowInfo[],
  fromMs: number,
  toMs: number,
): Promise<readonly SectionStretch[]> {
  const touched = windows.filter(({ windowNo }) => windowNo >= windowOf(fromMs) && windowNo <= windowOf(toMs));
  const hasTail = touched.some(({ state }) => state !== "packed");
  const withBlocks = touched.filter(({ state }) => state !== "open").map(({ windowNo }) => windowNo);
  const [first, last] = [withBlocks[0], withBlocks.at(-1)];
  const tail = hasTail ? await readTail(client, keys, fromMs, toMs, "all") : [];
  const blocks = first === undefined || last === undefined ? [] : await readBlocks(client, keys, first, last);
  return together(keys, tail, blocks);
}

/** The tail before the blocks, and blocks by part: of the same time twice, what came first counts. */
async function together(keys: readonly SectionKey[], tail: readonly TailCut[], blocks: readonly BlockCut[]): Promise<SectionStretch[]> {
  const pace = createPace();
  const stretches: SectionStretch[] = [];
  const parts = new Map<
    string,
    { readonly key: number; readonly windowNo: number; readonly rows: TailCut[]; readonly blocks: BlockCut[] }
  >();
  const partOf = (key: number, windowNo: number) => {
    const name = `${key} ${windowNo}`;
    let part = parts.get(name);
    if (part === undefined) parts.set(name, (part = { key, windowNo, rows: [], blocks: [] }));
    return part;
  };
  for (const row of tail) partOf(row.key, windowOf(row.timeMs)).rows.push(row);
  for (const block of blocks) partOf(block.key, block.windowNo).blocks.push(block);
  const sorted = [...parts.values()].sort((a, b) => a.key - b.key || a.windowNo - b.windowNo);
  for (const { key, windowNo, rows, blocks: packed } of sorted) {
    await pace.rest();
    const { section = 0, mask = 0 } = keys[key] ?? {};
    const fromTail = rows.length === 0 ? null : sectionOfRows(rows, section);
    const fromBlocks = packed.sort((a, b) => a.part - b.part).map(({ data }) => sectionOfBlock(data, mask));
    const all = fromTail === null ? fromBlocks : [fromTail, ...fromBlocks];
    if (all.length > 0) stretches.push({ key, windowNo, readings: mergeSections(all) });
  }
  return stretches;
}
