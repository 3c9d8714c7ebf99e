import { assessIncident } from "@trainwatch/api";
import { findingFingerprint, findingId, type Finding, type Incident } from "@trainwatch/core";
import { openStore, type Store } from "@trainwatch/store";
import type { SeededNode } from "./seeded-fleet.ts";

const MINUTE = 60_000;

/** A finding with what a test needs to say written over it. */
export function seededFinding(over: Partial<Finding> & Pick<Finding, "detector" | "metric" | "subject">): Finding {
  const { detector, metric, subject, attempt = "" } = over;
  const fingerprint = findingFingerprint({ detector, run: "", attempt, metricFamily: metric, subject });
  return {
    id: findingId(fingerprint, over.onsetStep ?? over.onsetTimeMs ?? 0),
    fingerprint,
    version: 1,
    attempt,
    severity: "critical",
    state: "ongoing",
    onsetStep: null,
    onsetLowerStep: over.onsetStep ?? null,
    detectedStep: over.onsetStep ?? null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: null,
    detectedTimeMs: null,
    endTimeMs: null,
    shape: "jump",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: "",
    evidence: [],
    place: null,
    facts: [],
    ...over,
  };
}

/** Stores an incident of these findings as the fold would, with its causes weighed; answers its id. `runId` null: of no run. */
export async function seedIncident(
  databaseUrl: string,
  runId: number | null,
  findings: readonly Finding[],
  nowMs: number,
): Promise<number> {
  const store = await openStore({ url: databaseUrl, migrate: false, poolSize: 2 });
  try {
    return await insert(store, runId, findings, nowMs);
  } finally {
    await store.close();
  }
}

/** Closes an incident as part of an elder one, as the fold would. */
export async function mergeSeeded(databaseUrl: string, into: number, from: number, nowMs: number): Promise<void> {
  const store = await openStore({ url: databaseUrl, migrate: false, poolSize: 2 });
  try {
    await store.records.transaction(async (tx) => {
      const text = `Merged into incident ${into}`;
      await tx.incidents.merge({ into, from, state: "open", nowMs });
      await tx.incidents.addTimeline(from, { kind: "note", atMs: nowMs, step: null, actor: "detectors", text });
    });
  } finally {
    await store.close();
  }
}

async function insert({ records }: Store, runId: number | null, findings: readonly Finding[], nowMs: number): Promise<number> {
  const [opener] = findings;
  if (opener === undefined) throw new Error("an incident without findings");
  const incident: Incident = {
    id: null,
    run: runId === null ? null : "lab/seeded",
    attempt: opener.attempt,
    state: "open",
    severity: "critical",
    findings,
    regressionOf: null,
    owner: null,
    openedAtMs: nowMs - 10 * MINUTE,
    acknowledgedAtMs: null,
    flaps: 0,
    snoozedUntilMs: null,
    resolvedAtMs: null,
  };
  const id = await records.incidents.create(runId, incident, opener.id, nowMs);
  if (id === null) throw new Error(`finding ${opener.id} has an incident already`);
  for (const finding of findings) await records.findings.upsert(runId, finding, id, nowMs);
  await assessIncident(records, { incidentId: id, nowMs });
  return id;
}

export interface Fault {
  readonly node: SeededNode;
  /** Index on the node. */
  readonly gpu: number;
  readonly rank: number;
  readonly onsetStep: number;
  readonly onsetMs: number;
}

/** A GPU that computes wrongly now and then: its rank deviates, its memory has an error, one of its links has errors, and its replay is not done yet. */
export function corruptingGpu({ node, gpu, rank, onsetStep, onsetMs }: Fault): readonly Finding[] {
  const gpuId = node.gpus[gpu] ?? "";
  const place = { rank, gpuId, nodeId: node.machineId, host: node.host };
  const evidence = (text: string, weight: "for" | "against" | "neutral", value: number, unit: string | null, source: string) => ({
    text,
    weight,
    value,
    unit,
    source,
  });
  return [
    seededFinding({
      detector: "rank-deviation",
      metric: "grad_norm",
      attempt: "a1",
      subject: { kind: "rank", id: String(rank) },
      place,
      onsetStep,
      onsetTimeMs: onsetMs,
      detectedTimeMs: onsetMs + MINUTE,
      summary: `Rank ${rank} alone deviates in its gradient norm on 7 batches`,
      facts: [
        { fact: "rank-deviates", value: 7 },
        { fact: "single-step", value: 1 },
      ],
      evidence: [
        evidence("Rank deviates from its cohort on 7 batches", "for", 31, "σ", "grad_norm"),
        evidence("The other ranks did not move", "for", 0, null, "grad_norm"),
        evidence("The learning rate is as it was", "against", 1, null, "learning_rate"),
      ],
    }),
    seededFinding({
      detector: "xid",
      metric: "xid",
      subject: { kind: "gpu", id: gpuId },
      place,
      severity: "warning",
      onsetTimeMs: onsetMs - 10 * MINUTE,
      detectedTimeMs: onsetMs - 10 * MINUTE,
      summary: "XID 63: row remap pending",
      facts: [{ fact: "node-memory-error", value: 0.2 }],
      evidence: [
        evidence("XID 63 on the same GPU", "for", 63, null, `kernel log of ${node.host}.management-network.compute.internal`),
        evidence("No double-bit error", "against", 0, null, "field 311"),
      ],
    }),
    seededFinding({
      detector: "gpu-hot",
      metric: "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
      subject: { kind: "gpu", id: gpuId },
      place,
      severity: "warning",
      onsetTimeMs: onsetMs,
      detectedTimeMs: onsetMs + MINUTE,
      peakValue: 88,
      baselineValue: 55,
      summary: "GPU is 33 °C hotter than its peers",
      facts: [{ fact: "hot", value: 33 }],
      evidence: [evidence("Hotter than the GPUs of its model", "for", 33, "°C", "DCGM_FI_DEV_GPU_TEMP_CELSIUS")],
    }),
  ];
}

/** One GPU that has fallen off the bus, and what the kernels of all other nodes say while their processes are cleared away. */
export function fallenGpu(nodes: readonly SeededNode[], onsetMs: number): readonly Finding[] {
  const [first] = nodes;
  const gpuId = first?.gpus[0] ?? "";
  const host = first?.host ?? "";
  const fallen = seededFinding({
    detector: "xid",
    metric: "xid",
    subject: { kind: "gpu", id: gpuId },
    place: { rank: 0, gpuId, nodeId: first?.machineId ?? null, host },
    onsetTimeMs: onsetMs,
    detectedTimeMs: onsetMs + 1_000,
    summary: `XID 79 on ${gpuId}: GPU has fallen off the bus`,
    facts: [
      { fact: "gpu-error", value: 79 },
      { fact: "gpu-lost", value: null },
    ],
  });
  const victims = nodes.slice(1).flatMap((node, index) =>
    node.gpus.map((id, gpu) =>
      seededFinding({
        detector: "xid",
        metric: "xid",
        severity: "warning",
        subject: { kind: "gpu", id },
        place: { rank: (index + 1) * node.gpus.length + gpu, gpuId: id, nodeId: node.machineId, host: node.host },
        onsetTimeMs: onsetMs + 2_000 + index,
        detectedTimeMs: onsetMs + 3_000 + index,
        summary: `XID 45, 425 times: a process was cleared away on ${node.host} GPU ${gpu}`,
        facts: [{ fact: "gpu-error", value: 45 }],
        evidence: [{ text: `XID 45 on ${node.host} GPU ${gpu}`, weight: "neutral", value: 425, unit: null, source: "kernel log" }],
      }),
    ),
  );
  return [fallen, ...victims];
}
