import type pg from "pg";
import { type AxisMap, axisMap, scaledMap } from "./axis-map.ts";
import { type StoredBlock, readBlocks } from "./block.ts";
import { decodeCells } from "./cells.ts";
import { type LongestHead, type RunFacts, readLongest } from "./dictionary.ts";
import { levelWithin } from "./fold.ts";
import { decodePoints } from "./points.ts";

/** Pairs a map is made of, about: enough for a straight line between two of them to be within a pixel. */
const MAP_PAIRS = 2048;
const TOKENS_METRIC = "tokens_consumed";

/**
 * Where the steps of each attempt stand on the axis of time: by the series of the attempt that has most points with a time. For series
 * that have none of their own. An attempt without any time is not in the answer.
 */
export async function timeMaps(client: pg.ClientBase, groupId: number): Promise<ReadonlyMap<number, AxisMap>> {
  return mapsOf(client, groupId, await readLongest(client, groupId, "timed"), (block) => pairsOf(block, "time"));
}

/**
 * Where the steps of each attempt stand on the axis of tokens: what `tokens_consumed` says, else steps × tokens per step. An attempt
 * that has neither is not in the answer.
 */
export async function tokenMaps(
  client: pg.ClientBase,
  groupId: number,
  { attempts, tokensPerStep }: RunFacts,
): Promise<ReadonlyMap<number, AxisMap>> {
  const longest = await readLongest(client, groupId, { metric: TOKENS_METRIC });
  const logged = await mapsOf(client, groupId, longest, (block) => pairsOf(block, "value"));
  if (tokensPerStep === null) return logged;
  return new Map(attempts.map((attempt) => [attempt.id, logged.get(attempt.id) ?? scaledMap(tokensPerStep)]));
}

async function mapsOf(
  client: pg.ClientBase,
  groupId: number,
  heads: readonly LongestHead[],
  pairs: (block: StoredBlock) => Pair[],
): Promise<Map<number, AxisMap>> {
  const maps = new Map<number, AxisMap>();
  for (const { seriesId, attemptId, firstStep, lastStep } of heads) {
    if (firstStep === null || lastStep === null) continue;
    const level = levelWithin(Math.floor(Math.log2(Math.max(1, (lastStep - firstStep) / MAP_PAIRS))));
    const blocks = await readBlocks(
      client,
      groupId,
      `series_id = ${seriesId} AND attempt_id = ${attemptId} AND up > ${level} AND level <= ${level} AND NOT far`,
    );
    const found = blocks.flatMap(pairs).sort((a, b) => a[0] - b[0]);
    const steps = found.map(([step]) => step);
    const xs = found.map(([, x]) => x);
    maps.set(attemptId, axisMap(steps, xs));
  }
  return maps;
}

type Pair = [step: number, x: number];

function pairsOf(block: StoredBlock, wanted: "time" | "value"): Pair[] {
  if (block.level === 0) {
    const points = decodePoints(block.data);
    const xs = wanted === "time" ? points.timeMs : points.value;
    return Array.from(points.step, (step, index): Pair => [step, xs[index] ?? Number.NaN]);
  }
  const cells = decodeCells(block.data);
  if (wanted === "value") return Array.from(cells.lastStep, (step, index): Pair => [step, cells.last[index] ?? Number.NaN]);
  return Array.from(cells.stepFirst).flatMap((step, index): Pair[] => [
    [step, cells.timeFirst[index] ?? Number.NaN],
    [cells.stepLast[index] ?? step, cells.timeLast[index] ?? Number.NaN],
  ]);
}
