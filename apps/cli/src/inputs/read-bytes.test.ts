import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBytes } from "./read-bytes.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-read-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const TEXT = Array.from({ length: 20_000 }, (_, index) => `step ${index} loss ${(2 + Math.sin(index)).toFixed(6)}\n`).join("");

async function read(path: string, stdin: Readable = Readable.from([])): Promise<{ readonly text: string; readonly code: string | null }> {
  const source = readBytes(path, stdin);
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.chunks()) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString("utf8"), code: source.fault()?.code ?? null };
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("readBytes", () => {
  it("gives a plain file as it is", async () => {
    expect(await read(await file("plain.log", TEXT))).toEqual({ text: TEXT, code: null });
  });

  it("tells gzip by content whatever the file is called, and reads all members of it", async () => {
    expect(await read(await file("named.txt", gzipSync(TEXT)))).toEqual({ text: TEXT, code: null });
    const members = Buffer.concat([gzipSync("first\n"), gzipSync("second\n")]);
    expect(await read(await file("members.gz", members))).toEqual({ text: "first\nsecond\n", code: null });
    expect(await read(await file("plain.gz", "no gzip at all\n"))).toEqual({ text: "no gzip at all\n", code: null });
  });

  it("gives what a truncated gzip holds and says that it is cut", async () => {
    const whole = gzipSync(TEXT);
    const { text, code } = await read(await file("cut.gz", whole.subarray(0, Math.floor(whole.length / 2))));
    expect(code).toBe("truncated");
    expect(text.length).toBeGreaterThan(TEXT.length / 4);
    expect(TEXT.startsWith(text)).toBe(true);
  });

  it("reports a damaged gzip and never hangs on it", async () => {
    const broken = Buffer.from(gzipSync(TEXT));
    const middle = Math.floor(broken.length / 2);
    broken.fill(0xff, middle, middle + 64);
    expect((await read(await file("broken.gz", broken))).code).toBe("truncated");
    expect((await read(await file("head-only.gz", gzipSync(TEXT).subarray(0, 5)))).code).toBe("truncated");
  });

  it("reads standard input, also in single bytes and compressed", async () => {
    const bytes = [...gzipSync("over the wire\n")].map((byte) => Buffer.from([byte]));
    expect(await read("-", Readable.from(bytes))).toEqual({ text: "over the wire\n", code: null });
    expect(await read("-", Readable.from([]))).toEqual({ text: "", code: null });
  });

  it("names a missing file and one whose folder is none", async () => {
    expect((await read(join(folder, "absent.log"))).code).toBe("missing");
    expect((await read(join(await file("a-file", "x"), "below"))).code).toBe("missing");
  });

  it("lets go of the file when the reader stops early", async () => {
    const source = readBytes(await file("early.gz", gzipSync(TEXT.repeat(20))), Readable.from([]));
    for await (const chunk of source.chunks()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(source.fault()).toBeNull();
  });
});
