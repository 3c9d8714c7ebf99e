import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { poissonCdf, poissonUpperBound } from "@trainwatch/stats";
import type { NullAlarm, NullPart } from "./rank-null-main.ts";

/** detection.md L.2: tickets and pages together over all rank detectors at 16,384 ranks × 6 metrics. */
export const RANK_NULL_GOAL = { alarmsADay: 0.1 } as const;

const STEPS_A_DAY = 8_640;
const METRICS = 6;

export interface RankNullLine extends Readonly<Record<string, string | number>> {
  readonly through: NullPart["through"];
  readonly ranks: number;
  readonly days: number;
  readonly "rank-steps": number;
  readonly tickets: number;
  readonly pages: number;
  readonly "alarms a day": number;
  readonly "at most a day (95 %)": number;
  readonly seeds: string;
  readonly "wall s": number;
  readonly told: string;
}

export interface RankNullPlan {
  readonly days: number;
  readonly ranks: number;
  readonly through: NullPart["through"];
  readonly seed?: number;
  /** One for each core where not given. */
  readonly workers?: number;
}

/** The t4 null with standing offsets and common mode, end to end: steps of 10 s, days shared out among workers, each a run of its own. */
export async function rankNull({ days, ranks, through, seed = 40_000, workers = cpus().length }: RankNullPlan): Promise<RankNullLine> {
  const steps = Math.ceil((days * STEPS_A_DAY) / workers);
  const started = performance.now();
  const parts = Array.from({ length: workers }, (_, worker): NullPart => ({ seed: seed + 100 * worker, ranks, steps, through }));
  const alarms = (await Promise.all(parts.map(runWorker))).flat();
  const pages = alarms.filter(({ severity }) => severity === "critical").length;
  const judged = (steps * workers) / STEPS_A_DAY;
  return {
    through,
    ranks,
    days: Number(judged.toFixed(3)),
    "rank-steps": ranks * METRICS * steps * workers,
    tickets: alarms.length - pages,
    pages,
    "alarms a day": Number((alarms.length / judged).toFixed(3)),
    "at most a day (95 %)": Number((poissonUpperBound(alarms.length) / judged).toFixed(3)),
    seeds: parts.map((part) => part.seed).join(", "),
    "wall s": Number(((performance.now() - started) / 1_000).toFixed(1)),
    told: alarms.map(({ detector, step, summary }) => `${detector} at ${step}: ${summary}`).join(" | "),
  };
}

/** Whether what came may have come at the goal's rate: fewer days cannot show more. */
export function rankNullHolds(line: RankNullLine): boolean {
  const scale = line.ranks / 16_384;
  const expected = RANK_NULL_GOAL.alarmsADay * line.days * scale;
  const alarms = line.tickets + line.pages;
  return alarms === 0 || 1 - poissonCdf(alarms - 1, expected) > 0.01;
}

/** A process of its own: threads do not load TypeScript on every version of Node that we run on. */
async function runWorker(part: NullPart): Promise<readonly NullAlarm[]> {
  const child = fork(fileURLToPath(new URL("rank-null-main.ts", import.meta.url)), [JSON.stringify(part)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let said: readonly NullAlarm[] | null = null;
  child.on("message", (message) => {
    if (!isAlarms(message)) throw new Error("a part of the null said something else");
    said = message;
  });
  const [code] = await once(child, "exit");
  if (said === null) throw new Error(`a part of the null ended with ${String(code)} before it had said anything`);
  return said;
}

function isAlarms(message: unknown): message is readonly NullAlarm[] {
  return (
    Array.isArray(message) && message.every((one) => typeof one === "object" && one !== null && "detector" in one && "severity" in one)
  );
}
