import { rulesInForce } from "@trainwatch/api";
import type { Finding } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { foldInParts } from "./fold-in-parts.ts";

const T0 = 1_790_000_000_000;
const MANY = 250;

/** A clearing-up on as many nodes of no run, and the GPU whose death it followed. */
function burst(): readonly Finding[] {
  const torn = (index: number): Finding => ({
    id: `torn-${index}`,
    fingerprint: `torn-${index}`,
    detector: "xid",
    version: 1,
    attempt: "",
    metric: index === 0 ? "xid 79" : "xid 45",
    subject: { kind: "gpu", id: `GPU-${index}` },
    severity: index === 0 ? "critical" : "info",
    state: "ongoing",
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    peakStep: null,
    endStep: null,
    onsetTimeMs: T0 + index * 10,
    detectedTimeMs: T0 + index * 10,
    endTimeMs: null,
    shape: "point",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: `XID on GPU-${index}.`,
    evidence: [],
    place: { rank: null, gpuId: `GPU-${index}`, nodeId: "name:n0", host: "n0" },
    facts: [{ fact: "gpu-error", value: index === 0 ? 79 : 45 }],
  });
  return Array.from({ length: MANY }, (_, index) => torn(index)).reverse();
}

async function fold(
  bench: DetectBench,
  options: { readonly fails?: boolean } = {},
): Promise<{ readonly parts: number; readonly moves: number }> {
  let [parts, moves] = [0, 0];
  await foldInParts({
    records: bench.store.records,
    demand: () => {
      parts++;
      return options.fails === true && parts > 1 ? Promise.reject(new Error("killed")) : Promise.resolve();
    },
    move: () => {
      moves++;
      return Promise.resolve();
    },
    findings: burst().map((finding) => ({ finding, shown: finding, run: null, attempt: null })),
    rulesFor: () => rulesInForce([], { runId: null, cluster: null, nowMs: bench.clock.now() }),
    logEveryOf: () => 1,
    nowMs: bench.clock.now(),
  });
  return { parts, moves };
}

describe("folding what comes at once", () => {
  it("goes in parts, moves on with the last, and after a crash between two of them begins again without telling anything twice", async () => {
    await using bench = await createDetectBench();
    await expect(fold(bench, { fails: true })).rejects.toThrow("killed");
    expect(await fold(bench)).toEqual({ parts: 2, moves: 1 });
    const [incident, ...others] = (await bench.verbs.incidents.list({})).items;
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ findingCount: MANY, severity: "critical", flaps: 0 });
    const { total, items } = await bench.store.records.incidents.timeline(incident?.id ?? 0, 1_000);
    await fold(bench);
    expect((await bench.store.records.incidents.timeline(incident?.id ?? 0, 1_000)).total).toBe(total);
    expect(new Set(items.map(({ text }) => text)).size).toBe(items.length);
  });
});
