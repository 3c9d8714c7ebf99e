import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebSource } from "./web-files.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-web-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe("createWebSource", () => {
  it("finds nothing where the dashboard is not built", async () => {
    expect(createWebSource(await folder()).current()).toBeNull();
  });

  it("allows the scripts that stand inside index.html, by their hash, and no others", async () => {
    const root = await folder();
    await writeFile(
      join(root, "index.html"),
      '<html><script>let a = 1;</script><script type="module" src="/assets/index.js"></script></html>',
    );
    const hash = createHash("sha256").update("let a = 1;").digest("base64");
    expect(createWebSource(root).current()?.scriptHashes).toEqual([`'sha256-${hash}'`]);
  });

  it("answers a build made later or anew, and none once it is gone", async () => {
    const root = await folder();
    const source = createWebSource(root);
    expect(source.current()).toBeNull();
    for (const index of ["<html>first</html>", "<html><script>let b = 2;</script>second</html>"]) {
      await writeFile(join(root, "index.html"), index);
      expect(source.current()?.index).toBe(index);
    }
    expect(source.current()?.scriptHashes).toHaveLength(1);
    await rm(join(root, "index.html"));
    expect(source.current()).toBeNull();
  });
});
