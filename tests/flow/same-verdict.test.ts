import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppRouter } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import { readConfig, start } from "@trainwatch/server";
import { LOG_WRITERS, completePlan, simulateRun, type PlanInput } from "@trainwatch/simulate";
import { createTestDatabase } from "@trainwatch/testkit";
import { createTRPCClient, httpLink } from "@trpc/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { importLogs } from "../../apps/cli/src/commands/import.ts";
import { inspect } from "../../apps/cli/src/commands/inspect.ts";
import { runCli } from "../../apps/cli/src/frame/run-cli.ts";
import { createTestIo } from "../../apps/cli/src/frame/test-io.fixture.ts";

const ADMIN_TOKEN = "admin-token-of-this-test-only";

const PLANS: Readonly<Record<string, PlanInput>> = {
  "a spike that leaves a shift, then NaN": {
    seed: 5,
    steps: 6_000,
    checkpointEvery: 250,
    faults: [
      { kind: "outlier", step: 2_100, factor: 1.5 },
      { kind: "spike-shift", step: 3_200, factor: 2.2, halfLifeSteps: 18, shift: 0.2, gradLeadSteps: 4 },
      { kind: "nan", step: 5_600, steps: null },
    ],
  },
  "a spike, a rollback and a run that goes on": {
    seed: 6,
    steps: 7_000,
    checkpointEvery: 250,
    faults: [
      { kind: "spike-shift", step: 3_400, factor: 1.9, halfLifeSteps: 20, shift: 0.15, gradLeadSteps: 0 },
      { kind: "restart", step: 3_700, resumeFrom: 3_250, downtimeS: 600, reason: "rolled back" },
    ],
  },
  "a spike that recovers, one that leaves a shift, NaN for a while and a restart": {
    seed: 9,
    steps: 9_000,
    checkpointEvery: 250,
    faults: [
      { kind: "spike", step: 2_400, factor: 1.8, halfLifeSteps: 12 },
      { kind: "spike-shift", step: 4_200, factor: 2, halfLifeSteps: 15, shift: 0.2 },
      { kind: "restart", step: 5_200, resumeFrom: 5_000, downtimeS: 120, reason: "node lost" },
      { kind: "nan", step: 7_000, steps: 12 },
    ],
  },
};

interface Verdict {
  readonly findings: readonly Pick<Finding, "id" | "severity" | "state" | "onsetStep" | "detectedStep">[];
  readonly advice: readonly {
    readonly action: string;
    readonly checkpointStep: number | null;
    readonly skipFromStep: number | null;
    readonly skipToStep: number | null;
  }[];
}

async function offline(path: string): Promise<Verdict> {
  const io = createTestIo();
  expect(await runCli(["inspect", path, "--run", "lab/same", "--gpus", "64", "--json"], [inspect], io)).toBe(0);
  const [run] = JSON.parse(io.written.out).runs;
  return { findings: run.findings, advice: run.advice };
}

/** Imports the log into a server of its own; the answer asks for what its detectors have made of it so far. */
async function online(path: string): Promise<() => Promise<Verdict>> {
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const server = await start(readConfig({ databaseUrl: database.url, port: 0, adminToken: ADMIN_TOKEN, logLevel: "silent" }, {}));
  onTestFinished(async () => void (await server.close()));
  const io = createTestIo();
  expect(
    await runCli(
      ["import", path, "--run", "lab/same", "--gpus", "64", "--ended", "finished", "--url", server.url ?? "", "--token", ADMIN_TOKEN],
      [importLogs],
      io,
    ),
  ).toBe(0);
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${server.url}/trpc`, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })],
  });
  return async () => {
    const { items } = await client.incidents.list.query({ runId: 1 });
    const details = await Promise.all(items.map(({ id }) => client.incidents.get.query({ incidentId: id })));
    const byOnset = details.sort((a, b) => (a.onsetStep ?? 0) - (b.onsetStep ?? 0));
    return { findings: (await client.findings.list.query({ runId: 1 })).items, advice: byOnset.flatMap(({ advice }) => advice ?? []) };
  };
}

const comparable = ({ findings, advice }: Verdict) => ({
  findings: findings
    .map(({ id, severity, state, onsetStep, detectedStep }) => ({ id, severity, state, onsetStep, detectedStep }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  advice: advice.map(({ action, checkpointStep, skipFromStep, skipToStep }) => ({ action, checkpointStep, skipFromStep, skipToStep })),
});

describe("a log that is inspected and the same log imported", () => {
  it.each(Object.entries(PLANS))("get the same verdict: %s", async (_name, plan) => {
    const folder = await mkdtemp(join(tmpdir(), "trainwatch-same-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const writer = LOG_WRITERS.find(({ id }) => id === "megatron");
    if (writer === undefined) throw new Error("there is no Megatron writer");
    const path = join(folder, "train.log");
    await writeFile(path, [...simulateRun(plan)].map((event) => writer.write(event, completePlan(plan))).join(""));
    const expected = comparable(await offline(path));
    expect(expected.findings.length).toBeGreaterThan(1);
    expect(expected.advice.length).toBeGreaterThan(0);
    const verdict = await online(path);
    await vi.waitFor(async () => expect(comparable(await verdict())).toEqual(expected), { timeout: 30_000, interval: 200 });
  });
});
