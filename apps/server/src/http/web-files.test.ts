import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findWebFiles } from "./web-files.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-web-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe("findWebFiles", () => {
  it("finds nothing where the dashboard is not built", async () => {
    expect(findWebFiles(await folder())).toBeNull();
  });

  it("allows the scripts that stand inside index.html, by their hash, and no others", async () => {
    const root = await folder();
    await writeFile(
      join(root, "index.html"),
      '<html><script>let a = 1;</script><script type="module" src="/assets/index.js"></script></html>',
    );
    const hash = createHash("sha256").update("let a = 1;").digest("base64");
    expect(findWebFiles(root)?.scriptHashes).toEqual([`'sha256-${hash}'`]);
  });
});
