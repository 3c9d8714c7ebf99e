import { defineConfig } from "vitest/config";
import { ClosingLineReporter } from "./packages/tooling/vitest/closing-line.ts";

const propertySeed = "packages/tooling/vitest/property-seed.ts";
/** Modules are loaded once a worker, which halves the time of many small files: no test leaves state behind in a module. */
const isolate = false;
const excluded = ["**/node_modules/**", "**/dist/**", "**/generated/**"];

/**
 * Kinds of tests by what they need: nothing (`*.test.ts`), a real Postgres (`*.db.test.ts`), a real browser (`tests/browser`), programs of
 * others that talk to a whole server (`tests/peers`; minutes of waiting, little work).
 * Postgres is started once for all by a global set-up; each test makes its own database from a template.
 */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", new ClosingLineReporter({ ci: process.env["CI"] === "true", print: (line) => console.log(line) })],
    projects: [
      {
        test: {
          setupFiles: [propertySeed],
          name: "unit",
          isolate,
          include: [
            "packages/*/src/**/*.test.{ts,tsx}",
            "apps/*/src/**/*.test.{ts,tsx}",
            "tests/architecture/**/*.test.ts",
            "tests/corpora/**/*.test.ts",
          ],
          exclude: [...excluded, "**/*.db.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          setupFiles: [propertySeed],
          name: "db",
          isolate,
          include: ["packages/*/src/**/*.db.test.ts", "apps/*/src/**/*.db.test.ts", "tests/flow/**/*.test.ts", "tests/chaos/**/*.test.ts"],
          exclude: excluded,
          globalSetup: ["packages/testkit/src/postgres-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "peers",
          isolate,
          include: ["tests/peers/**/*.test.ts"],
          exclude: excluded,
        },
      },
      {
        test: {
          name: "browser",
          sequence: { groupOrder: 1 },
          isolate,
          include: ["tests/browser/**/*.test.ts"],
          exclude: excluded,
          globalSetup: ["packages/testkit/src/postgres-setup.ts", "tests/browser/pages-setup.ts"],
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
