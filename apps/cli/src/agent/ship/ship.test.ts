import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { backoffMs } from "./backoff.ts";
import { DeadLetters } from "./dead-letters.ts";
import { retryAfterMs } from "./server.ts";

describe("backoffMs", () => {
  it("doubles from half a second to a minute, a random half of it", () => {
    expect([1, 2, 3, 7, 8, 50].map((failures) => backoffMs(failures, null, () => 0))).toEqual([250, 500, 1_000, 16_000, 30_000, 30_000]);
    expect(backoffMs(50, null, () => 0.999_999)).toBeLessThanOrEqual(60_000);
  });

  it("never comes back before the server has asked for, nor after ten minutes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, asked, random) => {
          const waits = backoffMs(failures, asked, () => random);
          expect(waits).toBeGreaterThanOrEqual(Math.min(asked, 600_000));
          expect(waits).toBeLessThanOrEqual(600_000);
        },
      ),
    );
  });
});

describe("retryAfterMs", () => {
  const now = Date.UTC(2026, 10, 29, 12, 0, 0);
  it.each([
    ["120", 120_000],
    ["Sun, 29 Nov 2026 12:00:30 GMT", 30_000],
    ["Sun, 29 Nov 2026 11:00:00 GMT", 0],
    ["soon", null],
    [undefined, null],
  ])("reads %s", (text, ms) => {
    expect(retryAfterMs(text, () => now)).toBe(ms);
  });
});

describe("DeadLetters", () => {
  it("keep at most 16 MiB, the newest, and lose nothing else where they cannot be written", async () => {
    const dir = await mkdtemp(join(tmpdir(), "trainwatch-dead-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const said: string[] = [];
    const dead = new DeadLetters(join(dir, "refused"), (line) => void said.push(line));
    for (let index = 0; index < 9; index++)
      await dead.put(`readings-1-${index}`, "ingest.frame", "400 no", new Uint8Array(3 * 1024 * 1024));
    const names = await readdir(join(dir, "refused"));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, "refused", name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(names).toContain("readings-1-8.bin");
    expect(dead.count).toBe(9);
    await writeFile(join(dir, "file"), "");
    await new DeadLetters(join(dir, "file"), (line) => void said.push(line)).put("x", "ingest.frame", "400 no", new Uint8Array(1));
    expect(said.at(-1)).toMatch(/cannot be written, a refused request is lost/);
  });
});
