import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { AppError } from "@trainwatch/core";
import { writeStream } from "../frame/write-stream.ts";
import { systemFault } from "../inputs/input-fault.ts";

/** @throws AppError `bad-request` where the file cannot be written */
export async function writeTexts(path: string, texts: Iterable<string>, stop: AbortSignal): Promise<void> {
  const file = createWriteStream(path);
  const done = finished(file);
  // Awaited below; a file that cannot be opened fails before the first write has been waited for.
  done.catch(() => undefined);
  await writeStream(file, texts, stop);
  file.end();
  await done.catch((error: unknown) => cannotWrite(path, error));
}

/** One JSON object a line. @throws AppError `bad-request` where the file cannot be written */
export async function writeJsonLines(path: string, rows: readonly object[]): Promise<void> {
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join("")).catch((error: unknown) => cannotWrite(path, error));
}

function cannotWrite(path: string, error: unknown): never {
  const { message } = systemFault(path, error);
  throw new AppError(
    "bad-request",
    message.replace("you may not read it", "you may not write there").replace("reading failed", "writing failed"),
  );
}
