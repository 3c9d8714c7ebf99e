import { appendFile, copyFile, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SpoolRecord } from "./record.ts";
import { openSegmentWriter } from "./segment-files.ts";
import type { Group } from "./segment-reader.ts";
import { Spool } from "./spool.ts";
import type { SpoolOptions } from "./spool.ts";

const MIB = 1024 * 1024;

async function spoolFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-spool-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function openSpool(dir: string, options: Partial<SpoolOptions> = {}): Promise<Spool> {
  const spool = await Spool.open({ dir, maxBytes: 64 * MIB, whenFull: "drop-oldest", ...options });
  onTestFinished(() => spool.close());
  return spool;
}

const record = (text: string, extra: Partial<SpoolRecord> = {}): SpoolRecord => ({
  kind: "push",
  payload: Buffer.from(text),
  weight: 1,
  ...extra,
});

function texts(groups: readonly Group[]): readonly string[] {
  return groups.map(({ records }) => records.map(({ payload }) => Buffer.from(payload).toString()).join("+"));
}

async function all(spool: Spool): Promise<readonly string[]> {
  return texts(await spool.peek(64 * MIB));
}

describe("Spool", () => {
  it("gives groups back in order, again and again until they are acknowledged, also after a restart", async () => {
    const dir = await spoolFolder();
    const spool = await openSpool(dir);
    for (const text of ["a", "b", "c"]) await spool.append([record(text), record(`${text}2`)]);
    expect(await all(spool)).toEqual(["a+a2", "b+b2", "c+c2"]);
    await spool.acknowledge((await spool.peek(1)).slice(0, 1));
    expect(await all(spool)).toEqual(["b+b2", "c+c2"]);
    await spool.close();
    const again = await openSpool(dir);
    await again.append([record("d")]);
    expect(await all(again)).toEqual(["b+b2", "c+c2", "d"]);
    expect(again.waitingWeight).toBe(5);
  });

  it("begins behind the acknowledged place where no segment is left, so that nothing new passes for acknowledged", async () => {
    const dir = await spoolFolder();
    await writeFile(join(dir, "acknowledged"), "7 100\n");
    const spool = await openSpool(dir);
    await spool.append([record("a")]);
    const [group] = await spool.peek(1);
    expect(group?.segment).toBe(8);
    await spool.close();
    const again = await openSpool(dir);
    expect(await all(again)).toEqual(["a"]);
  });

  it("keeps what was taken whole and nothing else, wherever a crash cuts the file", async () => {
    const dir = await spoolFolder();
    const ends = new Map<string, number>();
    const spool = await openSpool(dir);
    for (const text of ["first", "second", "third"]) {
      await spool.append([record(text), record(`${text} too`, { kind: "events" })]);
      ends.set(`${text}+${text} too`, spool.bytes);
    }
    await spool.close();
    const [name = ""] = (await readdir(dir)).filter((each) => each.endsWith(".seg"));
    const whole = await readFile(join(dir, name));
    for (let cut = 0; cut <= whole.length; cut++) {
      const crashed = join(dir, `cut-${cut}`);
      await mkdir(crashed);
      await writeFile(join(crashed, name), whole.subarray(0, cut));
      const recovered = await Spool.open({ dir: crashed, maxBytes: 64 * MIB, whenFull: "stop" });
      const expected = [...ends].filter(([, end]) => end <= cut).map(([text]) => text);
      await recovered.append([record("after")]);
      expect(await all(recovered)).toEqual([...expected, "after"]);
      await recovered.close();
    }
  });

  it("takes no damaged group for a whole one, whichever byte of it is wrong", async () => {
    const dir = await spoolFolder();
    const spool = await openSpool(dir);
    await spool.append([record("first")]);
    const end = spool.bytes;
    await spool.append([record("second")]);
    await spool.close();
    const [name = ""] = (await readdir(dir)).filter((each) => each.endsWith(".seg"));
    const whole = await readFile(join(dir, name));
    for (let at = end; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      const damaged = join(dir, `at-${at}`);
      await mkdir(damaged);
      await writeFile(join(damaged, name), bytes);
      const recovered = await Spool.open({ dir: damaged, maxBytes: 64 * MIB, whenFull: "stop" });
      expect(await all(recovered)).toEqual(["first"]);
      await recovered.close();
    }
  });

  it("sends again from the beginning where the place was spoiled, and passes nothing over", async () => {
    const dir = await spoolFolder();
    const spool = await openSpool(dir);
    await spool.append([record("a")]);
    await spool.append([record("b")]);
    await spool.acknowledge((await spool.peek(1)).slice(0, 1));
    await spool.close();
    await truncate(join(dir, "acknowledged"), 0);
    expect(await all(await openSpool(dir))).toEqual(["a", "b"]);
  });

  it("writes what others refer to once a segment, and tells it again after a restart in its middle", async () => {
    const dir = await spoolFolder();
    const spool = await openSpool(dir);
    const names = record("names", { kind: "dictionary", once: "digest", weight: 0 });
    for (const text of ["1", "2"]) await spool.append([names, record(text, { kind: "frame" })]);
    expect(await all(spool)).toEqual(["names+1", "2"]);
    await spool.acknowledge((await spool.peek(64)).slice(0, 1));
    await spool.close();
    const passed: string[] = [];
    const again = await openSpool(dir, { passed: ({ payload }) => void passed.push(Buffer.from(payload).toString()) });
    expect(await all(again)).toEqual(["2"]);
    expect(passed).toEqual(["names", "1"]);
    await again.append([names, record("3", { kind: "frame" })]);
    expect(await all(again)).toEqual(["2", "names+3"]);
  });

  const kilobytes = (text: string): SpoolRecord => record(text.padEnd(100_000, "."));

  it("drops the oldest when it is full, counts them, and keeps the rest in order", async () => {
    const spool = await openSpool(await spoolFolder(), { maxBytes: MIB });
    for (let index = 0; index < 30; index++) expect(await spool.append([kilobytes(String(index))])).toEqual({ ok: true });
    const kept = (await all(spool)).map((text) => Number.parseInt(text, 10));
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 30 - kept.length + index));
    expect(kept.length).toBeGreaterThanOrEqual(7);
    expect(spool.dropped).toBe(30 - kept.length);
    expect(spool.bytes).toBeLessThanOrEqual(MIB);
  });

  it("takes nothing more when it is full and told to stop, and goes on once there is room", async () => {
    const spool = await openSpool(await spoolFolder(), { maxBytes: MIB, whenFull: "stop" });
    let taken = 0;
    for (; (await spool.append([kilobytes(String(taken))])).ok; taken++);
    expect(await spool.append([kilobytes("x")])).toMatchObject({ ok: false, why: "full" });
    const first = await spool.peek(500_000);
    await spool.acknowledge(first);
    expect(await spool.append([kilobytes("y")])).toEqual({ ok: true });
    expect((await all(spool)).map((text) => text.slice(0, 2))).toEqual([
      ...Array.from({ length: taken - first.length }, (_, index) => `${first.length + index}.`.slice(0, 2)),
      "y.",
    ]);
    expect(spool.dropped).toBe(0);
  });

  it("says that the disk is full, keeps what it has, and goes on when there is room", async () => {
    let roomBytes = 250;
    const spool = await openSpool(await spoolFolder(), {
      whenFull: "stop",
      openWriter: async (path) => {
        const writer = await openSegmentWriter(path);
        return {
          ...writer,
          isBroken: false,
          append(bytes, at) {
            if (bytes.length > roomBytes)
              return Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }));
            roomBytes -= bytes.length;
            return writer.append(bytes, at);
          },
        };
      },
    });
    expect(await spool.append([record("a".repeat(150))])).toEqual({ ok: true });
    expect(await spool.append([record("b".repeat(150))])).toMatchObject({
      ok: false,
      why: "disk",
      message: expect.stringContaining("ENOSPC"),
    });
    roomBytes = 1_000;
    expect(await spool.append([record("c")])).toEqual({ ok: true });
    expect(await all(spool)).toEqual(["a".repeat(150), "c"]);
  });

  it("gives the room of what was acknowledged back when the disk is full, also that of the segment being written", async () => {
    let isFull = false;
    const dir = await spoolFolder();
    const segments = async (): Promise<number> => (await readdir(dir)).filter((name) => name.endsWith(".seg")).length;
    const spool = await openSpool(dir, {
      whenFull: "stop",
      openWriter: async (path) => {
        const writer = await openSegmentWriter(path);
        const append = (bytes: Uint8Array, at: number): Promise<void> =>
          isFull ? Promise.reject(new Error("ENOSPC")) : writer.append(bytes, at);
        return { isBroken: false, close: () => writer.close(), append };
      },
    });
    await spool.append([record("a")]);
    await spool.acknowledge(await spool.peek(1));
    expect(spool.bytes).toBeGreaterThan(0);
    isFull = true;
    for (let index = 0; index < 3; index++) expect(await spool.append([record("b")])).toMatchObject({ ok: false });
    expect(spool.bytes).toBe(0);
    expect(await segments()).toBeLessThanOrEqual(1);
    isFull = false;
    await spool.append([record("c")]);
    expect(await all(spool)).toEqual(["c"]);
  });

  it("keeps a segment whose states cannot be kept elsewhere", async () => {
    let isRefused = true;
    const dir = await spoolFolder();
    const spool = await openSpool(dir, {
      maxBytes: MIB,
      beforeRemove: () => (isRefused ? Promise.reject(new Error("ENOSPC")) : Promise.resolve()),
    });
    for (let index = 0; index < 4; index++) await spool.append([kilobytes(String(index))]);
    const segments = async (): Promise<number> => (await readdir(dir)).filter((name) => name.endsWith(".seg")).length;
    const before = await segments();
    await spool.acknowledge(await spool.peek(MIB));
    expect(await segments()).toBe(before);
    isRefused = false;
    await spool.append([kilobytes("4")]);
    await spool.acknowledge(await spool.peek(MIB));
    expect(await segments()).toBeLessThanOrEqual(2);
  });

  it("never loses or doubles what it has taken, whatever is acknowledged, torn or restarted", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("append" as const), size: fc.integer({ min: 1, max: 40_000 }) }),
      fc.record({ kind: fc.constant("acknowledge" as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.constant({ kind: "restart" as const }),
      fc.record({ kind: fc.constant("tear" as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const dir = await mkdtemp(join(tmpdir(), "trainwatch-spool-"));
        const open = (): Promise<Spool> => Spool.open({ dir, maxBytes: MIB * 2, whenFull: "stop" });
        let spool = await open();
        let waiting: string[] = [];
        let next = 0;
        for (const each of steps) {
          if (each.kind === "append") {
            const text = String(next++).padEnd(each.size, "-");
            if ((await spool.append([record(text)])).ok) waiting.push(text);
          } else if (each.kind === "acknowledge") {
            const groups = (await spool.peek(100_000)).slice(0, each.count);
            await spool.acknowledge(groups);
            waiting = waiting.slice(groups.length);
          } else {
            await spool.close();
            const newest = (await readdir(dir))
              .filter((name) => name.endsWith(".seg"))
              .toSorted()
              .at(-1);
            if (each.kind === "tear" && newest !== undefined) await appendFile(join(dir, newest), each.bytes);
            spool = await open();
          }
        }
        expect(await all(spool)).toEqual(waiting);
        expect(spool.waitingWeight).toBe(waiting.length);
        await spool.close();
        await rm(dir, { recursive: true });
      }),
      { numRuns: 60 },
    );
  });

  it("opens a folder that was copied while it was written", async () => {
    const dir = await spoolFolder();
    const spool = await openSpool(dir);
    await spool.append([record("a")]);
    const copy = join(dir, "copy");
    await mkdir(copy);
    for (const name of (await readdir(dir)).filter((each) => each.endsWith(".seg"))) await copyFile(join(dir, name), join(copy, name));
    await spool.append([record("b")]);
    expect(await all(await openSpool(copy))).toEqual(["a"]);
  });
});
