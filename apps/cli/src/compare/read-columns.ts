import type { Readable } from "node:stream";
import { stepOfText, type EvalRecord } from "@trainwatch/core";
import { columnsFromRecords, type ColumnInput, type RecordFile } from "@trainwatch/decide";
import type { PlannedEval } from "../evals/companions.ts";
import { readEvalFile, type EvalOutcome } from "../evals/read-eval-file.ts";
import type { CommandIo } from "../frame/io.ts";
import { withoutTexts } from "./without-texts.ts";

/** What the columns stand for: a model at a step, or, where all results are of one such, the path under which they were given. */
export type ColumnsBy = "model" | "path";

export interface ReadColumns {
  readonly by: ColumnsBy;
  readonly columns: readonly ColumnInput[];
  /** By column: the paths whose records are in it, in the order read. */
  readonly paths: readonly (readonly string[])[];
  readonly files: readonly EvalOutcome[];
  /** What the files say twice and counts once, in sentences. */
  readonly notes: readonly string[];
  /** What the columns were made of: each column's subjects are called as the column. */
  readonly records: readonly RecordFile[];
}

interface ReadFile {
  readonly path: string;
  readonly records: readonly EvalRecord[];
}

/**
 * Reads all files and makes the columns. Two evaluations of one model under two paths are two columns: whoever names them apart wants them apart.
 * @param given the paths as the user named them; files lie in or under them
 */
export async function readColumns(
  planned: readonly PlannedEval[],
  given: readonly string[],
  by: ColumnsBy | null,
  io: CommandIo,
  stdin: Readable,
): Promise<ReadColumns> {
  const files: EvalOutcome[] = [];
  const read: ReadFile[] = [];
  for (const { input, options } of planned) {
    const records: EvalRecord[] = [];
    files.push(await readEvalFile(input, options, io, stdin, (record) => void records.push(withoutTexts(record))));
    read.push({ path: input.path, records });
  }
  const models = byModel(read);
  if (by === "model" || (by === null && (models.columns.length > 1 || given.length < 2))) return { by: "model", ...models, files };
  return { by: "path", ...byPath(read, given), files };
}

type Columns = Pick<ReadColumns, "columns" | "notes" | "paths" | "records">;

function byModel(read: readonly ReadFile[]): Columns {
  const { columns, notes } = columnsFromRecords(read);
  return {
    columns,
    notes,
    records: read,
    paths: columns.map(({ model, step }) =>
      read.filter(({ records }) => records.some((record) => speaksOf(record, model, step))).map(({ path }) => path),
    ),
  };
}

function speaksOf(record: EvalRecord, model: string, step: number | null): boolean {
  const subjects = record.kind === "pair" ? [record.left, record.right] : [record.subject];
  return subjects.some((subject) => subject.model === model && subject.step === step);
}

/** Each path is a model of its own, named as it was given; a step that it tells is kept. */
function byPath(read: readonly ReadFile[], given: readonly string[]): Columns {
  const named = given.flatMap((path) =>
    read
      .filter((file) => isUnder(file.path, path))
      .map((file) => ({ path: file.path, records: file.records.flatMap((record) => renamed(record, path)) })),
  );
  return byModel(named);
}

/** A judgement between two models cannot be told as one of a path. */
function renamed(record: EvalRecord, path: string): readonly EvalRecord[] {
  if (record.kind === "pair") return [];
  return [{ ...record, subject: { model: path, step: stepOfText(path) ?? record.subject.step, path } }];
}

export function isUnder(path: string, folder: string): boolean {
  const bare = folder.replace(/\/+$/, "");
  return path === folder || path === bare || path.startsWith(`${bare}/`) || bare === "." || bare === "";
}
