import type { Writable } from "node:stream";

/** Lines are gathered to blocks of this size: a write for each line would cost more than making it. */
const BLOCK_CHARS = 64 * 1024;

/** Writes text as it is made and waits where the reader is slower. Ends quietly when the reader goes away or `stop` is asked for. */
export async function writeStream(out: Writable, texts: Iterable<string>, stop: AbortSignal): Promise<void> {
  let block = "";
  for (const text of texts) {
    block += text;
    if (block.length < BLOCK_CHARS) continue;
    if (!(await write(out, block)) || stop.aborted) return;
    block = "";
  }
  await write(out, block);
}

/** False once the other side has gone. */
function write(out: Writable, block: string): Promise<boolean> {
  return new Promise((resolve) => out.write(block, (error) => resolve(error === null || error === undefined)));
}
