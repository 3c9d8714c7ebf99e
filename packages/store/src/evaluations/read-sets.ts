import type pg from "pg";
import { decodeNumbers, metricOfColumn } from "./block-columns.ts";
import { grouped } from "./grouped.ts";
import { readKeys, type SampleNames, sampleNames } from "./sample-keys.ts";
import type { EvaluationColumns, StoredPairSet, StoredResult, StoredSampleSet } from "./contract.ts";

interface SetRow {
  readonly id: number;
  readonly kind: string;
  readonly fileId: number;
  readonly scorecardId: number;
  readonly model: string;
  readonly step: number | null;
  readonly opponentId: number | null;
  readonly opponent: string | null;
  readonly opponentStep: number | null;
  readonly task: string;
  readonly filter: string;
  readonly judge: string | null;
  readonly lengthUnit: string | null;
  readonly settings: StoredSampleSet["settings"];
  readonly count: number;
  readonly importedAtMs: number;
}

interface BlockRow {
  readonly setId: number;
  readonly count: number;
  readonly columns: string;
  readonly keys: string;
  readonly clusters: string | null;
  readonly categories: string | null;
  readonly numbers: Buffer;
}

export interface SetQuestion {
  readonly scorecardIds: readonly number[];
  /** Null: of all. */
  readonly task: string | null;
  /** Those in force. */
  readonly results: readonly StoredResult[];
}

/** Sets of samples and pairs that a comparison needs. Files of which a part is missing have none. */
export async function readSets(
  client: pg.ClientBase,
  { scorecardIds, task, results }: SetQuestion,
): Promise<Omit<EvaluationColumns, "results">> {
  // Indexes: scorecard_id and opponent_id of eval_set.
  const { rows } = await client.query<SetRow>(
    `SELECT s.id, s.kind, s.file_id AS "fileId", s.scorecard_id AS "scorecardId", l.model, l.step, s.opponent_id AS "opponentId", o.model AS opponent,
       o.step AS "opponentStep", s.task, s.filter, s.judge,
       s.length_unit AS "lengthUnit", s.settings, s.count, f.created_at_ms AS "importedAtMs"
     FROM eval_set s JOIN eval_file f ON f.id = s.file_id JOIN scorecard l ON l.id = s.scorecard_id LEFT JOIN scorecard o ON o.id = s.opponent_id
     WHERE f.complete AND (s.scorecard_id = ANY($1::int[]) OR s.opponent_id = ANY($1::int[])) AND ($2::text IS NULL OR s.task = $2) ORDER BY s.file_id DESC, s.id`,
    [[...scorecardIds], task],
  );
  const inForce = new Set(
    results.map(({ scorecardId, fileId, task, filter }) => JSON.stringify([scorecardId, fileId, task, filter ?? ""])),
  );
  const seen = new Set<string>();
  const wanted = rows.filter((set) => {
    if (set.kind === "pair") return true;
    const name = JSON.stringify([set.scorecardId, set.task, set.filter]);
    const isNewest = !seen.has(name);
    seen.add(name);
    return isNewest || inForce.has(JSON.stringify([set.scorecardId, set.fileId, set.task, set.filter]));
  });
  const blocks = await readBlocks(
    client,
    wanted.map(({ id }) => id),
  );
  return {
    samples: wanted.flatMap((set) => (set.kind === "sample" ? [sampleSet(set, blocks.get(set.id) ?? [])] : [])),
    pairs: wanted.flatMap((set) => (set.kind === "pair" ? [pairSet(set, blocks.get(set.id) ?? [])] : [])),
  };
}

/** Index: (set_id, part) of eval_block. */
async function readBlocks(client: pg.ClientBase, setIds: readonly number[]): Promise<ReadonlyMap<number, readonly BlockRow[]>> {
  const { rows } = await client.query<BlockRow>(
    'SELECT set_id AS "setId", count, columns, keys, clusters, categories, numbers FROM eval_block WHERE set_id = ANY($1::int[]) ORDER BY set_id, part',
    [[...setIds]],
  );
  return grouped(rows, ({ setId }) => setId);
}

function sampleSet(set: SetRow, blocks: readonly BlockRow[]): StoredSampleSet {
  const numbers = joinNumbers(set.count, blocks);
  const scores = new Map<string, Float64Array>();
  for (const [name, column] of numbers) {
    const metric = metricOfColumn(name);
    if (metric !== null) scores.set(metric, column);
  }
  const { names, epochs } = joinKeys(blocks);
  const { id: setId, fileId, scorecardId, task, filter, settings, importedAtMs } = set;
  return {
    setId,
    fileId,
    scorecardId,
    task,
    filter: filter === "" ? null : filter,
    settings,
    keys: names,
    epochs,
    scores,
    tokens: numbers.get("tokens") ?? null,
    latencies: numbers.get("latencyS") ?? null,
    prompts: numbers.get("prompt") ?? null,
    clusters: joinWords(blocks, ({ clusters }) => clusters),
    categories: joinWords(blocks, ({ categories }) => categories),
    importedAtMs,
  };
}

function pairSet(set: SetRow, blocks: readonly BlockRow[]): StoredPairSet {
  const numbers = joinNumbers(set.count, blocks);
  const column = (name: string): Float64Array => numbers.get(name) ?? new Float64Array(set.count).fill(Number.NaN);
  return {
    setId: set.id,
    fileId: set.fileId,
    task: set.task,
    judge: set.judge,
    left: { scorecardId: set.scorecardId, model: set.model, step: set.step },
    right: { scorecardId: set.opponentId ?? 0, model: set.opponent ?? "", step: set.opponentStep },
    lengthUnit: set.lengthUnit,
    keys: joinKeys(blocks).names,
    preferences: column("preference"),
    leftLengths: column("leftLength"),
    rightLengths: column("rightLength"),
  };
}

function joinNumbers(count: number, blocks: readonly BlockRow[]): ReadonlyMap<string, Float64Array> {
  const columns = new Map<string, Float64Array>();
  let offset = 0;
  for (const block of blocks) {
    const names = JSON.parse(block.columns) as readonly string[];
    for (const name of names) if (!columns.has(name)) columns.set(name, new Float64Array(count).fill(Number.NaN));
    decodeNumbers(block.numbers, names, block.count, (name) => columns.get(name), offset);
    offset += block.count;
  }
  return columns;
}

function joinKeys(blocks: readonly BlockRow[]): SampleNames {
  return sampleNames(blocks.flatMap(({ keys }) => readKeys(keys)));
}

/** Null where no block has a word. */
function joinWords(blocks: readonly BlockRow[], read: (block: BlockRow) => string | null): readonly (string | null)[] | null {
  if (blocks.every((block) => read(block) === null)) return null;
  return blocks.flatMap((block) => {
    const text = read(block);
    return text === null ? Array.from({ length: block.count }, () => null) : (JSON.parse(text) as readonly (string | null)[]);
  });
}
