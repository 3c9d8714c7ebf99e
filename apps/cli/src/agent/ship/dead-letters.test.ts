import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DeadLetters } from "./dead-letters.ts";

it("lets the oldest of what was refused go first, whatever it is called", async () => {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-refused-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const mebibytes = (count: number): Uint8Array => new Uint8Array(count * 1024 * 1024);
  await writeFile(join(dir, "readings-9-1.bin"), mebibytes(6));
  await utimes(join(dir, "readings-9-1.bin"), 1_000, 1_000);
  await writeFile(join(dir, "facts-1-1.bin"), mebibytes(6));
  await utimes(join(dir, "facts-1-1.bin"), 2_000, 2_000);
  await new DeadLetters(dir, () => undefined).put("readings-10-1", "ingest.frame", "400", mebibytes(6));
  expect((await readdir(dir)).toSorted()).toEqual(["facts-1-1.bin", "readings-10-1.bin", "readings-10-1.txt"]);
});
