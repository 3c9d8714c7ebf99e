import { isAppError } from "@trainwatch/core";
import { diagnose, readConfig, type Diagnosis } from "@trainwatch/server";
import { z } from "zod";
import type { ExitCode } from "../frame/command.ts";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";

const SIGNS = { ok: "✓", warning: "▲", fault: "◆" } as const;

export const doctor = defineCommand({
  name: "doctor",
  summary: "Checks configuration, database, clock, disk and coverage, and says what to do about each fault.",
  examples: ["trainwatch doctor", "trainwatch doctor --json --fail-on warning"],
  configure(command) {
    addConfigOptions(command, ["config", "dataDir", "databaseUrl"]);
    command.option("--fail-on <level>", "exit 1 where a check is at least so bad: fault or warning");
  },
  options: configOptionsSchema.extend({ failOn: z.enum(["fault", "warning"], "must be fault or warning").optional() }),
  async run(io, { json, failOn, ...flags }) {
    const checks = await examine(flags, io.now());
    if (json) printJson(io, { checks });
    else for (const check of checks) io.out(describe(check));
    return exitCode(checks, failOn);
  },
});

async function examine(flags: Readonly<Record<string, unknown>>, nowMs: number): Promise<readonly Diagnosis[]> {
  try {
    return await diagnose(readConfig(flags), nowMs);
  } catch (error) {
    if (!isAppError(error) || error.code !== "misconfigured") throw error;
    // A doctor that falls silent over the first fault is none: the configuration is the first check.
    return [{ check: "configuration", status: "fault", message: error.message, fix: "Correct the keys named above.", isBlocking: true }];
  }
}

function describe({ check, status, message, fix }: Diagnosis): string {
  return `${SIGNS[status]} ${check}: ${message}\n${fix === null ? "" : `  → ${fix}\n`}`;
}

/** 2 where the examination itself could not go on; 1 only where the caller asked for it. */
function exitCode(checks: readonly Diagnosis[], failOn: "fault" | "warning" | undefined): ExitCode {
  if (checks.some((check) => check.isBlocking)) return 2;
  const isBad = checks.some(({ status }) => status === "fault" || (failOn === "warning" && status === "warning"));
  return failOn !== undefined && isBad ? 1 : 0;
}
