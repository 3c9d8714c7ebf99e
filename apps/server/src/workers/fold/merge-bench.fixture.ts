import { rulesInForce } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { expect } from "vitest";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { foldFindings } from "./fold-findings.ts";
import type { PlacedFinding } from "./placed-finding.ts";

export const T0 = 1_790_000_000_000;
export const SECOND = 1_000;
export const MINUTE = 60_000;

export function anXid(number: number, node: string, atMs: number, severity: Finding["severity"]): Finding {
  const gpu = `GPU-${node}`;
  return {
    id: `xid-${number}-${node}`,
    fingerprint: `xid-${number}-${node}`,
    detector: "xid",
    version: 1,
    attempt: "",
    metric: `xid ${number}`,
    subject: { kind: "gpu", id: gpu },
    severity,
    state: "ongoing",
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: atMs,
    detectedTimeMs: atMs,
    endTimeMs: null,
    shape: "point",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: `XID ${number} on ${node}.`,
    evidence: [],
    place: { rank: null, gpuId: gpu, nodeId: `name:${node}`, host: node },
    facts: [{ fact: "gpu-error", value: number }],
  };
}

/** Steps that are slow, of the run and by its time. */
const aSlowStep = (atMs: number, severity: Finding["severity"]): Finding => ({
  ...anXid(0, "run", atMs, severity),
  id: "slow",
  fingerprint: "slow",
  detector: "step-time",
  attempt: "a1",
  metric: "step_time",
  subject: { kind: "run", id: "lab/base" },
  onsetStep: 500,
  onsetLowerStep: 499,
  detectedStep: 503,
  place: null,
  facts: [],
  summary: "Steps are slow.",
});

export const dead = anXid(79, "c007", T0, "critical");
export const slow = (severity: Finding["severity"] = "warning"): Finding => aSlowStep(T0 + MINUTE, severity);
export const access = (severity: Finding["severity"] = "warning"): Finding => anXid(31, "c050", T0 + 30 * SECOND, severity);

export interface Bench extends AsyncDisposable {
  readonly bench: DetectBench;
  /** One transaction, and nothing in memory before or after: as by a worker that has just been started. */
  fold(...findings: readonly Finding[]): Promise<void>;
  foldOfNoRun(finding: Finding): Promise<void>;
  /** Reasons of what was written to a channel, with what each says was merged. */
  told(): Promise<readonly (readonly [number, string, readonly number[]])[]>;
}

export async function onRun(): Promise<Bench> {
  const bench = await createDetectBench();
  bench.clock.set(T0 + 2 * MINUTE);
  await bench.push(buildPush({ source: "r", seq: 1, attempt: "a1" }, [{ metric: "loss", points: [[1, 2, T0 - MINUTE]] }]));
  const facts = await bench.store.records.runs.facts(1);
  const run = { id: 1, fullName: facts?.fullName ?? "", cluster: null };
  const foldAll = async (findings: readonly PlacedFinding[]): Promise<void> => {
    await bench.store.records.transaction((records) =>
      foldFindings(records, {
        findings,
        rulesFor: () => rulesInForce([], { runId: 1, cluster: null, nowMs: bench.clock.now() }),
        logEveryOf: () => 1,
        nowMs: bench.clock.now(),
      }),
    );
  };
  return {
    bench,
    fold: (...findings) => foldAll(findings.map((finding) => ({ finding, shown: { ...finding, attempt: "a1" }, run, attempt: "a1" }))),
    foldOfNoRun: (finding) => foldAll([{ finding, shown: finding, run: null, attempt: null }]),
    async told() {
      const { items } = await bench.store.records.notices.list({ incidentId: null, channelId: null, limit: 100, cursor: null });
      return items.toReversed().map(({ incidentId, reason, body }) => [incidentId, reason, body.merged]);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

export async function withChannel(at: Bench, minSeverity: "warning" | "critical" = "warning"): Promise<void> {
  await at.bench.verbs.channels.create({ name: "on call", kind: "slack", url: "https://hooks.example/x", minSeverity, scope: {} });
}

export async function twoThatAreOne(at: Bench, severity: Finding["severity"] = "warning"): Promise<void> {
  await at.fold(access(severity));
  await at.fold(slow(severity));
  expect((await at.bench.verbs.incidents.list({})).items.map(({ id }) => id).sort()).toEqual([1, 2]);
}
