import { appendFile, copyFile, mkdtemp, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileTail } from "./file-tail.ts";
import type { TailOptions } from "./file-tail.ts";
import type { TailCursor } from "./tail-cursor.ts";

async function logFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-tail-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A tail, as an agent that may be started again at any moment sees it. */
class Follower {
  text = "";
  cursor: TailCursor | null = null;
  readonly lost: string[] = [];
  starts = 0;
  private tail: FileTail;
  private readonly path: string;
  private readonly options: TailOptions;

  constructor(path: string, options: TailOptions = { from: "start", unit: "lines" }) {
    this.path = path;
    this.options = options;
    this.tail = new FileTail(path, null, options);
  }

  /** Reads until nothing has come for a few times: a rotation is only believed then. */
  async follow(): Promise<string> {
    for (let quiet = 0; quiet < 5; quiet++) {
      for (let chunk = await this.tail.read(); chunk !== null; chunk = await this.tail.read()) {
        this.text += Buffer.from(chunk.bytes).toString();
        if (chunk.isStart) this.starts++;
        if (chunk.lost !== null) this.lost.push(chunk.lost);
        this.tail.advance(chunk);
        this.cursor = chunk.cursor;
      }
    }
    return this.text;
  }

  async restart(): Promise<void> {
    await this.tail.close();
    this.tail = new FileTail(this.path, this.cursor, this.options);
  }

  close(): Promise<void> {
    return this.tail.close();
  }
}

async function follower(options?: TailOptions): Promise<{ readonly log: string; readonly tail: Follower }> {
  const log = join(await logFolder(), "train.log");
  const tail = new Follower(log, options);
  onTestFinished(() => tail.close());
  return { log, tail };
}

describe("FileTail", () => {
  it("gives whole lines only, and half a line once its other half has come", async () => {
    const { log, tail } = await follower();
    await writeFile(log, "one\ntwo\nthr");
    expect(await tail.follow()).toBe("one\ntwo\n");
    await appendFile(log, "ee\n");
    expect(await tail.follow()).toBe("one\ntwo\nthree\n");
  });

  it("gives the same again until it is told that it is safe", async () => {
    const { log } = await follower();
    await writeFile(log, "one\n");
    const tail = new FileTail(log, null, { from: "start", unit: "lines" });
    onTestFinished(() => tail.close());
    expect((await tail.read())?.bytes).toEqual((await tail.read())?.bytes);
  });

  it("begins at the end where it is told to, and never in the middle of a line", async () => {
    const { log, tail } = await follower({ from: "end", unit: "lines" });
    await writeFile(log, "old\nhal");
    await tail.follow();
    await appendFile(log, "f\nnew\n");
    expect(await tail.follow()).toBe("half\nnew\n");
  });

  it.each([
    ["a running agent", false],
    ["an agent that was started again meanwhile", true],
  ])("follows %s over a rename, with what the writer still put into the old file", async (_who, isRestarted) => {
    const { log, tail } = await follower();
    await writeFile(log, "one\n");
    await tail.follow();
    await appendFile(log, "two\nlast without break");
    await rename(log, `${log}.1`);
    await writeFile(log, "three\n");
    if (isRestarted) await tail.restart();
    expect(await tail.follow()).toBe("one\ntwo\nlast without breakthree\n");
    expect(tail.lost).toEqual([]);
  });

  it.each([
    ["a running agent", false],
    ["an agent that was started again meanwhile", true],
  ])("follows %s over copy and truncate, also where the log has grown beyond its old place", async (_who, isRestarted) => {
    const { log, tail } = await follower();
    await writeFile(log, "one\n");
    await tail.follow();
    await appendFile(log, "two\n");
    await copyFile(log, `${log}.1`);
    await truncate(log, 0);
    await appendFile(log, "three is longer than all before\n");
    if (isRestarted) await tail.restart();
    expect(await tail.follow()).toBe("one\ntwo\nthree is longer than all before\n");
  });

  it.each([
    ["rename", async (log: string, to: string) => rename(log, to)],
    ["copy and truncate", async (log: string, to: string) => copyFile(log, to).then(() => truncate(log, 0))],
  ] as const)("says which file was not read where a log was rotated twice by %s while the agent was away", async (_how, rotate) => {
    const { log, tail } = await follower();
    await writeFile(log, "one\n");
    await tail.follow();
    const past = new Date(Date.now() - 60_000);
    await appendFile(log, "two\n");
    await utimes(log, past, past);
    await rotate(log, `${log}.2`);
    await utimes(`${log}.2`, past, past);
    await appendFile(log, "between\n");
    await rotate(log, `${log}.1`);
    await appendFile(log, "three\n");
    await writeFile(`${log}.err`, "of somebody else");
    await tail.restart();
    expect(await tail.follow()).toBe("one\ntwo\nthree\n");
    expect(tail.lost).toEqual([`${log} was rotated more than once meanwhile; not read: train.log.1`]);
  });

  it("says so where a log was emptied and no copy is left", async () => {
    const { log, tail } = await follower();
    await writeFile(log, "one\ntwo\n");
    await tail.follow();
    await truncate(log, 0);
    await appendFile(log, "x\n");
    expect(await tail.follow()).toBe("one\ntwo\nx\n");
    expect(tail.lost).toHaveLength(1);
    expect(tail.lost[0]).toContain("behind byte 8");
  });

  it("passes over what is longer than a line may be, and goes on with the next line", async () => {
    const { log, tail } = await follower();
    await writeFile(log, `a\n${"x".repeat(700_000)}\nb\n`);
    const text = await tail.follow();
    expect(text.startsWith("a\nxxx")).toBe(true);
    expect(text.endsWith("xb\n")).toBe(true);
    expect(text.length).toBeLessThan(300_000);
  });

  it("gives a file from its first byte again after a restart where a parser needs that", async () => {
    const { log, tail } = await follower({ from: "start", unit: "lines", rewind: true });
    await writeFile(log, "one\n");
    await tail.follow();
    await tail.restart();
    await appendFile(log, "two\n");
    expect(await tail.follow()).toBe("one\none\ntwo\n");
    expect(tail.starts).toBe(2);
  });

  it("gives every line once and in order, whenever it looks, restarts or the log is rotated", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), text: fc.constantFrom("a", "bb\n", "\n", "c\nd", "eee\nf\n") }),
      fc.constantFrom({ kind: "look" as const }, { kind: "restart" as const }, { kind: "rename" as const }, { kind: "copy" as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const log = join(await mkdtemp(join(tmpdir(), "trainwatch-tail-")), "train.log");
        await writeFile(log, "");
        const tail = new Follower(log);
        let written = "";
        let line = 0;
        let rotation = 0;
        const write = async (text: string): Promise<void> => {
          // Lines differ, as those of real logs do: a beginning that repeats word for word cannot be told from its copy.
          const numbered = text.replaceAll(/[a-z]+/g, (letters) => `${letters}${line++}`);
          written += numbered;
          await appendFile(log, numbered);
        };
        for (const each of steps) {
          if (each.kind === "write") await write(each.text);
          else if (each.kind === "look") await tail.follow();
          else if (each.kind === "restart") await tail.restart();
          else {
            // A log rotates at the end of a line, and not before somebody has seen any of it.
            await write("z\n");
            await tail.follow();
            await write("y\n");
            if (each.kind === "rename") await rename(log, `${log}.${++rotation}`);
            else await copyFile(log, `${log}.${++rotation}`).then(() => truncate(log, 0));
            if (each.kind === "rename") await writeFile(log, "");
          }
        }
        await write("end\n");
        expect(await tail.follow()).toBe(written);
        expect(tail.lost).toEqual([]);
        await tail.close();
      }),
      { numRuns: 60 },
    );
  });
});
