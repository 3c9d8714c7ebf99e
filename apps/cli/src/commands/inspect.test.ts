import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LOG_WRITERS, completePlan, groundTruth, simulateRun } from "@trainwatch/simulate";
import type { PlanInput } from "@trainwatch/simulate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";
import type { InspectReport } from "../inspect/report.ts";
import { inspect } from "./inspect.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-inspect-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(["inspect", ...argv], [inspect], io), ...io.written };
}

async function report(...argv: readonly string[]): Promise<InspectReport> {
  const { out } = await run(...argv, "--json");
  return JSON.parse(out);
}

function log(plan: PlanInput, id: (typeof LOG_WRITERS)[number]["id"]): string {
  const writer = LOG_WRITERS.find((candidate) => candidate.id === id) ?? LOG_WRITERS[0];
  return [...simulateRun(plan)].map((event) => writer.write(event, completePlan(plan))).join("");
}

const SPIKE: PlanInput = {
  seed: 3,
  steps: 6_000,
  faults: [{ kind: "spike-shift", step: 4_000, factor: 2.4, halfLifeSteps: 12, shift: 0.3, gradLeadSteps: 4 }],
};

describe("inspect", () => {
  it("finds an injected spike where it is, back-dates it to the gradient norm and proposes the checkpoint before", async () => {
    const path = await file("spike.log", log({ ...SPIKE, checkpointEvery: 250 }, "megatron"));
    const { runs } = await report(path, "--gpus", "512");
    const [truth] = groundTruth(SPIKE);
    const [only] = runs;
    if (only === undefined || truth === undefined) throw new Error("no run");
    const [incident] = only.incidents;
    expect(only.incidents).toHaveLength(1);
    expect(Math.abs((incident?.onsetStep ?? 0) - truth.onsetStep)).toBeLessThanOrEqual(2);
    expect(incident?.title).toMatch(/^Loss not recovered: ×2\.\d spike at step (3,99\d|4,00\d), still \+0\.\d+ nats/);
    expect(only.advice[0]).toMatchObject({ action: "rollback", checkpointStep: 3_750, lostSteps: 2_250 });
    expect(only.advice[0]?.lostGpuHours).toBeCloseTo((2_250 * 4.2 * 512) / 3600, -2);
  });

  it("names a NaN at its step, with Megatron's absent loss counted (B3), and calls it critical", async () => {
    const path = await file("nan.log", log({ seed: 5, steps: 3_000, faults: [{ kind: "nan", step: 2_000, steps: null }] }, "megatron"));
    const { runs } = await report(path);
    expect(runs[0]?.incidents).toMatchObject([{ severity: "critical", onsetStep: 2_000, title: "Loss non-finite from step 2,000" }]);
    expect(runs[0]?.findings.find((finding) => finding.metric === "loss" && finding.severity === "critical")).toMatchObject({
      state: "non-finite",
      onsetStep: 2_000,
      peakValue: "NaN",
    });
    expect(runs[0]?.metrics.find((metric) => metric.name === "loss")).toMatchObject({
      points: 3_000,
      nonFinite: 1_001,
      sourceName: "lm loss",
    });
    expect(runs[0]?.advice[0]?.action).toBe("rollback");
  });

  it("prints exactly the fields that scripts rely on", async () => {
    const { inputs, runs, version } = await report(await file("fields.jsonl", log(SPIKE, "jsonl")));
    expect(version).toBe(1);
    expect(inputs[0]).toMatchObject({
      path: expect.stringContaining("fields.jsonl"),
      format: "jsonl",
      lines: 6_000,
      issues: [],
      issuesTotal: 0,
    });
    const [only] = runs;
    expect(only).toMatchObject({ project: "default", name: "fields" });
    expect(only?.attempts).toMatchObject([{ id: "a1", parent: null, branchStep: null, firstStep: 1, lastStep: 6_000 }]);
    expect(Object.keys(only?.metrics[0] ?? {})).toEqual(
      expect.arrayContaining(["name", "sourceName", "labels", "attempt", "points", "min", "max", "nonFinite", "firstStep", "lastStep"]),
    );
    const finding = only?.findings.find((one) => one.severity !== "info");
    expect(Object.keys(finding ?? {})).toEqual(
      expect.arrayContaining([
        "id",
        "fingerprint",
        "detector",
        "version",
        "attempt",
        "metric",
        "subject",
        "severity",
        "state",
        "onsetStep",
        "detectedStep",
        "peakStep",
        "endStep",
        "onsetTime",
        "detectedTime",
        "summary",
        "evidence",
      ]),
    );
    expect(finding?.onsetTime).toMatch(/^2026-01-05T\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Object.keys(finding?.evidence[0] ?? {}).toSorted()).toEqual(["source", "text", "unit", "value", "weight"]);
    expect(Object.keys(only?.advice[0] ?? {})).toEqual(
      expect.arrayContaining([
        "action",
        "checkpointStep",
        "skipFromStep",
        "skipToStep",
        "subjects",
        "lostSteps",
        "lostGpuHours",
        "confidence",
        "reasons",
        "rejected",
      ]),
    );
  });

  it("tells a restart as an attempt with its branch", async () => {
    const plan: PlanInput = {
      ...SPIKE,
      faults: [{ kind: "restart", step: 3_000, resumeFrom: 2_500, downtimeS: 600, reason: "node lost" }],
    };
    const { runs } = await report(await file("restart.log", log(plan, "megatron")));
    expect(runs[0]?.attempts).toMatchObject([
      { id: "a1", firstStep: 1, lastStep: 3_000 },
      { id: "a2", parent: "a1", branchStep: 2_500, firstStep: 2_501, lastStep: 6_000 },
    ]);
    expect(runs[0]?.findings.filter((finding) => finding.severity !== "info")).toEqual([]);
  });

  it("says of which attempt an incident is, and that the run has gone on in another", async () => {
    const plan: PlanInput = {
      ...SPIKE,
      faults: [...(SPIKE.faults ?? []), { kind: "restart", step: 4_500, resumeFrom: 3_500, downtimeS: 600, reason: "rolled back" }],
    };
    const { out } = await run(await file("rolled-back.log", log(plan, "megatron")));
    expect(out).toMatch(/critical: Loss .* \(a1; the run has gone on as a2\)\n/);
    const alone = await run(await file("one-attempt.log", log(SPIKE, "megatron")));
    expect(alone.out).not.toContain("(a1");
  });

  it("reads gzip by content and gives the same as the plain log", async () => {
    const text = log(SPIKE, "jsonl");
    const [plain, packed] = [await report(await file("same.jsonl", text)), await report(await file("packed/same.jsonl", gzipSync(text)))];
    expect(packed.runs).toEqual(plain.runs);
  });

  it("merges trainer states that contain one another into one run, and keeps others apart", async () => {
    const state = (steps: number, seed: number): string =>
      JSON.stringify({ global_step: steps, max_steps: 900, log_history: history(steps, seed) });
    const paths = [
      await file("out/checkpoint-300/trainer_state.json", state(300, 1)),
      await file("out/checkpoint-600/trainer_state.json", state(600, 1)),
      await file("other/trainer_state.json", state(450, 2)),
    ];
    const { runs, inputs } = await report(...paths);
    expect(runs.map((one) => [one.name, one.attempts.length, one.metrics.find((metric) => metric.name === "loss")?.points])).toEqual([
      ["checkpoint-600/trainer_state", 1, 60],
      ["other/trainer_state", 1, 45],
    ]);
    expect(inputs.map((input) => input.repeated)).toEqual([0, 90, 0]);
    const named = await report("--run", "lab/merged", ...paths.slice(0, 2));
    expect(named.runs.map((one) => [one.project, one.name, one.metrics.find((metric) => metric.name === "loss")?.points])).toEqual([
      ["lab", "merged", 60],
    ]);
  });

  it("C4: makes files of one run that overlap one attempt each", async () => {
    const part = (seed: number, from: number, to: number): string => log({ seed, steps: to }, "jsonl").split("\n").slice(from).join("\n");
    const paths = [
      await file("c4/1.jsonl", part(1, 0, 500)),
      await file("c4/2.jsonl", part(2, 400, 900)),
      await file("c4/3.jsonl", part(3, 800, 1_200)),
    ];
    const { runs } = await report("--run", "lab/c4", ...paths);
    expect(runs[0]?.attempts.map(({ firstStep, lastStep }) => [firstStep, lastStep])).toEqual([
      [1, 500],
      [401, 900],
      [801, 1_200],
    ]);
  });

  it("walks a directory, passes over what is no log, and lists it", async () => {
    await file("walk/run.jsonl", log({ seed: 1, steps: 300 }, "jsonl"));
    await file("walk/deep/README.md", "# nothing to see\n");
    await file("walk/.git/config", "[core]\n");
    const { code, out } = await run(join(folder, "walk"), "--json");
    const { inputs, skipped, runs }: InspectReport = JSON.parse(out);
    expect(code).toBe(0);
    expect(inputs).toHaveLength(1);
    expect(skipped.map(({ path }) => path.split("/").at(-1))).toEqual(["README.md"]);
    expect(runs.map((one) => one.name)).toEqual(["run"]);
  });

  it("exits 1 only when asked to and only when there is a finding so bad", async () => {
    const bad = await file("fail/bad.jsonl", log(SPIKE, "jsonl"));
    const good = await file("fail/good.jsonl", log({ ...SPIKE, faults: [] }, "jsonl"));
    expect((await run(bad)).code).toBe(0);
    expect((await run(bad, "--fail-on", "warning")).code).toBe(1);
    expect((await run(good, "--fail-on", "warning")).code).toBe(0);
  });

  it("D5: takes 16 ranks of one metric for one series and one attempt", async () => {
    const lines = Array.from({ length: 400 }, (_, step) =>
      Array.from(
        { length: 16 },
        (__, rank) => `{"step": ${step}, "rank": ${rank}, "loss": ${(3 + 0.01 * rank - step / 1_000).toFixed(4)}}`,
      ),
    ).flat();
    const { runs } = await report(await file("ranks.jsonl", lines.join("\n")));
    expect(runs[0]?.attempts).toHaveLength(1);
    const losses = runs[0]?.metrics.filter((metric) => metric.name === "loss") ?? [];
    expect(losses).toHaveLength(16);
    expect(losses.every((metric) => metric.points === 400 && metric.labels["writer"] === undefined)).toBe(true);
  });

  it("prints a report for people with a chart, the incident and the action", async () => {
    const { code, out } = await run(await file("people.jsonl", log(SPIKE, "jsonl")), "--checkpoint-every", "500");
    expect(code).toBe(0);
    expect(out).toMatch(/^default\/people · steps 1 to 6,000 · 1 attempt · 6 metrics · 36,000 points\n/);
    expect(out).toContain("┴");
    expect(out).toMatch(/→ Roll back to 3,500, skip 3,9\d\d to 4,\d{3} · (strong|likely|not settled), \d+ %/);
    expect(
      out
        .split("\n")
        .filter((line) => line.includes("│"))
        .every((line) => line.length <= 80),
    ).toBe(true);
  });

  it("says what a file lacks permission for, and reads the others", async () => {
    const secret = await file("perm/secret.jsonl", log({ seed: 1, steps: 50 }, "jsonl"));
    const open = await file("perm/open.jsonl", log({ seed: 1, steps: 300 }, "jsonl"));
    await chmod(folder, 0o755);
    await chmod(join(folder, "perm"), 0o755);
    await chmod(secret, 0o000);
    const { code, out, err } = await asPlainUser(() => run(secret, open, "--json"));
    expect(code).toBe(2);
    expect(err).toMatch(/secret\.jsonl: you may not read it; change its permissions/);
    const parsed: InspectReport = JSON.parse(out);
    expect(parsed.inputs.map((input) => [input.readable, input.issues[0]?.code])).toEqual([
      [false, "permission"],
      [true, undefined],
    ]);
    expect(parsed.runs).toHaveLength(1);
  });
});

function history(steps: number, seed: number): readonly Readonly<Record<string, number>>[] {
  return Array.from({ length: steps / 10 }, (_, index) => ({
    step: 10 * (index + 1),
    epoch: index / 100,
    loss: 2 + Math.sin(index * seed) / 10,
    learning_rate: 0.0001,
  }));
}

/** Root may read everything, so it becomes nobody for as long as the check takes. */
async function asPlainUser<T>(check: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return check();
  process.seteuid?.(65_534);
  try {
    return await check();
  } finally {
    process.seteuid?.(0);
  }
}
