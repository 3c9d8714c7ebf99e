import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Size of the generated log, and what reading it may take at most (issue: a generated 2 GB log stays under 300 MB). */
const SIZE_BYTES = Number(process.env["TRAINWATCH_BENCH_LOG_BYTES"] ?? 2 * 1024 ** 3);
const GOAL_RSS_MB = 300;
const BLOCK_LINES = 2_000;
const POLL_MS = 100;
const CLI = fileURLToPath(new URL("../../apps/cli/bin/trainwatch.mjs", import.meta.url));

interface InspectSummary {
  readonly lines: number;
  readonly points: number;
  readonly findings: number;
  readonly lastStep: number;
}

export default { name: "inspect-memory", run };

/** Streams a generated Megatron log through `trainwatch inspect - --json` and reports peak resident memory and MB/s. */
async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [CLI, "inspect", "-", "--json"], { stdio: ["pipe", "pipe", "inherit"] });
  const memory = watchMemory(child);
  const output = collect(child);
  const sent = await feed(child);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const seconds = (performance.now() - startedMs) / 1000;
  const peakMb = memory();
  const summary = summarise(await output);
  const allRead = summary.lines === sent.lines && summary.lastStep === sent.lines && summary.points === sent.lines * sent.valuesALine;
  return {
    ok: code === 0 && allRead && peakMb < GOAL_RSS_MB,
    logMb: Math.round(sent.bytes / 1e6),
    lines: sent.lines,
    points: summary.points,
    findings: summary.findings,
    allRead,
    exitCode: code,
    seconds: Number(seconds.toFixed(1)),
    mbPerSecond: Number((sent.bytes / 1e6 / seconds).toFixed(1)),
    peakRssMb: Math.round(peakMb),
    goalRssMb: GOAL_RSS_MB,
  };
}

/** Writes the log as fast as the child reads it. A spike every 400,000 lines keeps the detectors and the incidents at work. */
async function feed(child: ChildProcess): Promise<{ readonly bytes: number; readonly lines: number; readonly valuesALine: number }> {
  const { stdin } = child;
  if (stdin === null) throw new Error("the child has no standard input");
  // A child that has died is told by its exit code.
  stdin.on("error", () => undefined);
  let bytes = 0;
  let lines = 0;
  let noise = 12_345;
  while (bytes < SIZE_BYTES && child.exitCode === null) {
    let block = "";
    for (let line = 0; line < BLOCK_LINES; line++) {
      lines++;
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) & 0x7fffffff;
      block += iterationLine(lines, noise);
    }
    bytes += block.length;
    if (!stdin.write(block)) await new Promise((resolve) => stdin.once("drain", resolve));
  }
  stdin.end();
  return { bytes, lines, valuesALine: 10 };
}

/** ` iteration 120/ 999999999 | consumed samples: … | lm loss: 2.345678E+00 | … |`: digits from whole numbers, because formatting doubles would set the pace. */
function iterationLine(step: number, noise: number): string {
  const age = step % 400_000;
  const spike = step > 400_000 && age < 60 ? 900_000 - age * 15_000 : 0;
  const loss = 2_300_000 + (noise % 40_000) + spike;
  const grad = 300 + (noise % 60) + (spike > 0 ? 4_000 : 0);
  return ` iteration ${step}/ 999999999 | consumed samples: ${step * 1024} | elapsed time per iteration (ms): ${4_200 + (noise % 90)}.5 | learning rate: 3.000000E-04 | global batch size:  1024 | lm loss: ${String(loss).slice(0, 1)}.${String(loss).slice(1)}E+00 | loss scale: 1.0 | grad norm: ${Math.floor(grad / 1000)}.${String(grad % 1000).padStart(3, "0")} | params norm: 412.${noise % 900} | number of skipped iterations:   0 | number of nan iterations:   0 |\n`;
}

/** High-water mark of the child's resident memory in MB, as the kernel keeps it. */
function watchMemory(child: ChildProcess): () => number {
  let peakKb = 0;
  const read = (): void => {
    try {
      const status = readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8");
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // The child has ended; what was read before stands.
    }
  };
  const timer = setInterval(read, POLL_MS);
  child.on("close", () => clearInterval(timer));
  return () => {
    if (peakKb === 0) throw new Error("the child's memory could not be read; this bench needs /proc");
    return peakKb / 1024;
  };
}

async function collect(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.setEncoding("utf8");
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return text;
}

function summarise(output: string): InspectSummary {
  const report: unknown = JSON.parse(output);
  const input = pick(pick(report, "inputs"), 0);
  const run = pick(pick(report, "runs"), 0);
  const findings = pick(run, "findings");
  return {
    lines: Number(pick(input, "lines")),
    points: Number(pick(input, "points")),
    findings: Array.isArray(findings) ? findings.length : Number.NaN,
    lastStep: Number(pick(pick(pick(run, "attempts"), 0), "lastStep")),
  };
}

function pick(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && key in value
    ? Object.entries(value).find(([name]) => name === String(key))?.[1]
    : undefined;
}
