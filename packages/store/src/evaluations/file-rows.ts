import { AppError, type EvalPush, type EvalPushAnswer } from "@trainwatch/core";
import type pg from "pg";
import { openRun } from "../ingest/run-rows.ts";

/** Which part of which file. */
export type PartName = Pick<EvalPush, "file" | "part" | "last">;

export interface FileRow {
  readonly id: number;
  readonly lastPart: number | null;
}

/** Runs that are deleted as often as we make them again are somebody else's trouble. */
const MOST_TRIES = 10;

/** Finds or makes the run and keeps it from being deleted until the end. */
export async function holdRun(client: pg.ClientBase, run: NonNullable<EvalPush["run"]>, nowMs: number): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const id = await openRun(client, run, nowMs);
    if ((await client.query("SELECT FROM run WHERE id = $1 FOR KEY SHARE", [id])).rowCount === 1) return id;
  }
  throw new AppError("unavailable", `Run ${run.project}/${run.name} is being deleted. Send the file again in a moment.`);
}

/** Finds or makes the file and locks it: its parts are stored one after the other. */
export async function holdFile(
  client: pg.ClientBase,
  { file }: Pick<EvalPush, "file">,
  runId: number | null,
  nowMs: number,
): Promise<FileRow> {
  const { rows } = await client.query<FileRow>(
    `INSERT INTO eval_file AS known (key, run_id, format, name, created_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key) DO UPDATE SET key = known.key RETURNING id, last_part AS "lastPart"`,
    [`${file.sha256}:${runId ?? ""}`, runId, file.format, file.name, nowMs],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`file ${file.name} can neither be made nor found`);
  return row;
}

/** The answer that this part got before, with what was accepted then as repeated; null where it is new. @throws AppError `conflict` for another content, or a part beyond the last one */
export async function repeatedPart(client: pg.ClientBase, file: FileRow, push: PartName, bodyHash: string): Promise<EvalPushAnswer | null> {
  const { rows } = await client.query<{ bodyHash: string; answer: EvalPushAnswer }>(
    'SELECT body_hash AS "bodyHash", answer FROM eval_part WHERE file_id = $1 AND part = $2',
    [file.id, push.part],
  );
  const before = rows[0];
  const { name } = push.file;
  if (before === undefined) {
    const { rows: parts } = await client.query<{ newest: number | null }>("SELECT max(part) AS newest FROM eval_part WHERE file_id = $1", [
      file.id,
    ]);
    const beyond = push.last ? (parts[0]?.newest ?? -1) > push.part : false;
    if (file.lastPart === null ? beyond : push.last || push.part > file.lastPart)
      throw new AppError(
        "conflict",
        `Part ${push.part} of ${name} does not fit to the parts that are stored: the last one is ${file.lastPart ?? parts[0]?.newest}. Send the file in the same parts as before.`,
        { details: { file: name, part: push.part } },
      );
    return null;
  }
  const { accepted, repeated, ...rest } = before.answer;
  if (before.bodyHash === bodyHash) return { ...rest, accepted: 0, repeated: accepted + repeated };
  throw new AppError(
    "conflict",
    `Part ${push.part} of ${name} was stored before with another content: the same file was read in another way (other options, another version). What is stored stays; to store it read that way, change the file, or name another run.`,
    { details: { file: name, part: push.part } },
  );
}

/** Files the answer, and notes whether all parts of the file are there now. */
export async function storePart(
  client: pg.ClientBase,
  file: FileRow,
  push: PartName,
  { bodyHash, answer, nowMs }: { readonly bodyHash: string; readonly answer: EvalPushAnswer; readonly nowMs: number },
): Promise<void> {
  await client.query("INSERT INTO eval_part (file_id, part, body_hash, answer, received_at_ms) VALUES ($1, $2, $3, $4, $5)", [
    file.id,
    push.part,
    bodyHash,
    JSON.stringify(answer),
    nowMs,
  ]);
  const lastPart = push.last ? push.part : file.lastPart;
  await client.query(
    `UPDATE eval_file SET last_part = $2::int, complete = ($2::int IS NOT NULL AND (SELECT count(*) FROM eval_part WHERE file_id = $1) = $2::int + 1) WHERE id = $1`,
    [file.id, lastPart],
  );
}
