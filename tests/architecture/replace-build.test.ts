import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

/** Plain Node without types: it runs before anything is installed. */
const SCRIPT = new URL("../../packages/tooling/bootstrap/replace-build.mjs", import.meta.url).href;
const { replaceBuild }: { readonly replaceBuild: (built: string, dist: string) => void } = await import(SCRIPT);

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-build-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe("a build of the dashboard", () => {
  it("takes the place of the one before and keeps the assets of that one, not of those before it", async () => {
    const root = await folder();
    const dist = join(root, "dist");
    const build = async (name: string, assets: readonly string[]): Promise<readonly string[]> => {
      const built = join(root, "built");
      await mkdir(join(built, "assets"), { recursive: true });
      await writeFile(join(built, "index.html"), name);
      for (const asset of assets) await writeFile(join(built, "assets", asset), `${asset} of ${name}`);
      replaceBuild(built, dist);
      expect(await readFile(join(dist, "index.html"), "utf8")).toBe(name);
      return (await readdir(join(dist, "assets"))).sort();
    };
    expect(await build("one", ["a-1.js", "shared.js"])).toEqual(["a-1.js", "shared.js"]);
    expect(await build("two", ["a-2.js", "shared.js"])).toEqual(["a-1.js", "a-2.js", "shared.js"]);
    expect(await readFile(join(dist, "assets", "shared.js"), "utf8")).toBe("shared.js of two");
    expect(await build("three", ["a-3.js"])).toEqual(["a-2.js", "a-3.js", "shared.js"]);
    expect((await readdir(root)).sort()).toEqual(["dist"]);
  });
});
