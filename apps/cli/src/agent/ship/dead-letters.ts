import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../message-of.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 1_000;

/** What the server will never take, put aside with its reason so that it does not block what follows and can still be looked at. */
export class DeadLetters {
  /** Requests put aside since the start. */
  count = 0;
  private readonly dir: string;
  private readonly say: (line: string) => void;

  constructor(dir: string, say: (line: string) => void) {
    this.dir = dir;
    this.say = say;
  }

  /** @param name unique within the spool, such as its place there */
  async put(name: string, verb: string, why: string, payload: Uint8Array): Promise<void> {
    this.count++;
    this.say(`${verb} was refused for good and is put aside in ${join(this.dir, `${name}.bin`)}: ${why}`);
    try {
      await mkdir(this.dir, { recursive: true, mode: 0o700 });
      await writeFile(join(this.dir, `${name}.bin`), payload);
      await writeFile(join(this.dir, `${name}.txt`), `${verb}\n${why}\n`);
      await this.bound();
    } catch (error) {
      this.say(`${this.dir} cannot be written, a refused request is lost: ${messageOf(error)}`);
    }
  }

  /** The oldest go. */
  private async bound(): Promise<void> {
    const names = await readdir(this.dir);
    const found = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(this.dir, name));
        return { name, size, mtimeMs };
      }),
    );
    let bytes = found.reduce((sum, { size }) => sum + size, 0);
    let files = found.length;
    for (const { name, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= MAX_BYTES && files <= MAX_FILES) return;
      await rm(join(this.dir, name), { force: true });
      bytes -= size;
      files--;
    }
  }
}
