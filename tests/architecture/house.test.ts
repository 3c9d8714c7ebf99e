import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Runs a checker of `npm run check`; resolves to its output, rejects with it when it finds fault. */
async function checker(script: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [join(ROOT, script), ...args], {
      cwd: ROOT,
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    });
    return stdout;
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error
        ? `${String(error.stdout)}\n${"stderr" in error ? String(error.stderr) : ""}`
        : String(error);
    throw new Error(`${script} found fault:\n${output.slice(-8000)}`, { cause: error });
  }
}

describe("the rules of the house hold", () => {
  it("imports point the way docs/architecture.md says", { timeout: 120_000 }, async () => {
    const output = await checker("node_modules/dependency-cruiser/bin/dependency-cruise.mjs", [
      "--config",
      "packages/tooling/lint/dependency-cruiser.cjs",
      "packages",
      "apps",
    ]);
    expect(output).toContain("no dependency violations found");
  });

  it("lint has no error and no warning", { timeout: 120_000 }, async () => {
    expect(await checker("node_modules/oxlint/bin/oxlint", ["--deny-warnings"])).toContain("0 errors");
  });

  it("every source file is formatted", { timeout: 120_000 }, async () => {
    expect(await checker("node_modules/oxfmt/bin/oxfmt", ["--check", "."])).not.toContain("Format issues");
  });

  it("types hold in every package", { timeout: 600_000 }, async () => {
    expect(await checker("node_modules/turbo/bin/turbo", ["run", "typecheck", "--output-logs=errors-only"])).toContain("successful");
  });

  it("no file, export or dependency is unused", { timeout: 120_000 }, async () => {
    await expect(checker("node_modules/knip/bin/knip.js", ["--no-progress"])).resolves.toBeTypeOf("string");
  });
});
