// The one way in: `npm run demo|start|test|bench|check|setup`. Plain Node, because it runs before anything is installed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT, setUp } from "./setup.mjs";

const bin = (path) => join(ROOT, path);
const CLI = bin("apps/cli/bin/trainwatch.mjs");

/** What each npm script runs once the checkout is set up. */
const COMMANDS = {
  setup: () => [],
  demo: (args) => [[process.execPath, [CLI, "demo", ...args]]],
  start: (args) => [[process.execPath, [CLI, "serve", ...args]]],
  test: (args) => [[process.execPath, [bin("node_modules/vitest/vitest.mjs"), "run", ...args]]],
  bench: (args) => [[process.execPath, ["--import", "tsx", bin("tests/bench/run.ts"), ...args]]],
  check: () => [
    [process.execPath, [bin("node_modules/oxfmt/bin/oxfmt"), "--check", "."]],
    [process.execPath, [bin("node_modules/oxlint/bin/oxlint"), "--deny-warnings"]],
    [
      process.execPath,
      [
        bin("node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
        "--config",
        "packages/tooling/lint/dependency-cruiser.cjs",
        "packages",
        "apps",
      ],
    ],
    [process.execPath, [bin("node_modules/turbo/bin/turbo"), "run", "typecheck", "--output-logs=errors-only"]],
    [process.execPath, [bin("node_modules/knip/bin/knip.js"), "--no-progress"]],
  ],
};

/**
 * Runs one command in the foreground; resolves to its exit code. Ctrl+C reaches it from the terminal, which signals the whole group: passed
 * on as well it would come twice, and the second one means "at once". SIGTERM comes to this process alone and is passed on.
 */
function foreground(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
    });
    const pass = (signal) => child.kill(signal);
    const stay = () => undefined;
    process.on("SIGINT", stay);
    process.on("SIGTERM", pass);
    child.on("error", (error) => {
      console.error(`Could not start ${command}: ${error.message}`);
      resolve(2);
    });
    child.on("exit", (code, signal) => {
      process.off("SIGINT", stay);
      process.off("SIGTERM", pass);
      resolve(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1));
    });
  });
}

async function main() {
  const [name = "", ...args] = process.argv.slice(2);
  const plan = COMMANDS[name];
  if (plan === undefined) throw new Error(`Unknown command '${name}'. Known: ${Object.keys(COMMANDS).join(", ")}.`);
  await setUp();
  let worst = 0;
  for (const [command, commandArgs] of plan(args)) worst = Math.max(worst, await foreground(command, commandArgs));
  process.exitCode = worst;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 2;
});
