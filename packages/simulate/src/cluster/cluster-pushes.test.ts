import { decodeColumn, pushSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { cluster, eventsOf, stepsOf, STEPS } from "./cluster.fixture.ts";
import { clusterPushes } from "./cluster-pushes.ts";
import { rankLines } from "./rank-line.ts";
import { runEvents } from "./run-events.ts";

const OPTIONS = { project: "p", name: "n", source: "sim" };

describe("clusterPushes", () => {
  it("sends every value once, in pushes that the schema takes and that count on within their source", () => {
    const simulated = cluster([{ kind: "nan", step: 60, rank: 4, skipped: 1 }], { missing: 0.02 });
    const seqs = new Map<string, number[]>();
    const seen = new Map<string, number>();
    for (const input of clusterPushes(simulated.events(), { ...OPTIONS, stepsAPush: 7 })) {
      const push = pushSchema.parse(input);
      seqs.set(push.source, [...(seqs.get(push.source) ?? []), push.seq]);
      for (const { series, step = [], time = [], value, nonFinite } of push.columns) {
        const { metric, labels } = push.series[series] ?? { metric: "", labels: {} };
        expect([step.length, time.length]).toEqual([value.length, value.length]);
        const values = decodeColumn({ value, nonFinite });
        for (const [index, one] of values.entries())
          seen.set(`${metric} ${labels["rank"] ?? "run"} ${step[index] ?? ""}`, one ?? Number.POSITIVE_INFINITY);
      }
    }
    for (const own of seqs.values()) expect(own).toEqual(own.map((_, index) => index));
    const steps = stepsOf(simulated);
    expect(seen.get("loss run 7")).toBe(steps[6]?.values.loss);
    expect(seen.get("loss 4 60")).toBeNaN();
    for (const step of steps)
      for (const [metric, values] of step.ranks.columns)
        for (const [rank, value] of values.entries())
          expect(Object.is(seen.get(`${metric} ${rank} ${step.step}`), step.ranks.silent?.[rank] === 1 ? undefined : value)).toBe(true);
  });

  it("tells launches, checkpoints and the end, says that it lives while it hangs, and closes the run only where it has finished", () => {
    const pushes = [
      ...clusterPushes(cluster([{ kind: "hang", step: 60, rank: 7, killedAfterS: 100 }]).events(), { ...OPTIONS, metadata: { gpus: 64 } }),
    ];
    expect(pushes.flatMap(({ events = [] }) => events.map(({ kind }) => kind)).filter((kind) => kind === "start")).toHaveLength(2);
    const silent = pushes.filter(
      ({ columns = [], events = [], ended, source }) => source === "sim" && columns.length + events.length === 0 && ended === undefined,
    );
    // Each 10 s of the 100 until it is killed.
    expect(silent.length).toBeGreaterThanOrEqual(9);
    expect(pushes.flatMap(({ ended }) => ended ?? [])).toEqual(["finished"]);
    expect(pushes.flatMap(({ checkpoints = [] }) => checkpoints.map(({ step }) => step))).toEqual([25, 50, 75, 100]);
    expect(pushes[0]?.metadata).toEqual({ gpus: 64 });
  });

  it("sends ranks from a step on, and the metrics that are asked for", () => {
    const series = [...clusterPushes(cluster().events(), { ...OPTIONS, metrics: ["loss"], ranksFromStep: STEPS, stepsAPush: 10 })].flatMap(
      ({ series: own = [] }) => own,
    );
    const ranked = series.filter(({ labels }) => labels?.["rank"] !== undefined);
    expect(ranked).toHaveLength(64);
    expect(new Set(ranked.map(({ metric }) => metric))).toEqual(new Set(["loss"]));
  });
});

describe("what a cluster run writes", () => {
  it("logs means over its interval, as the plain simulator does", () => {
    const simulated = cluster();
    const points = [...runEvents(simulated.events(), 10)].filter((event) => event.kind === "point");
    expect(points.map(({ step }) => step)).toEqual(Array.from({ length: STEPS / 10 }, (_, index) => 10 * (index + 1)));
    const steps = stepsOf(simulated).slice(0, 10);
    expect(points[0]?.values.loss).toBeCloseTo(steps.reduce((sum, { values }) => sum + values.loss, 0) / 10, 9);
    expect(points[0]?.timeMs).toBe(steps[9]?.timeMs);
  });

  it("writes a JSON line a rank that has spoken", () => {
    const [stuck] = eventsOf(cluster([{ kind: "hang", step: 60, rank: 7 }]), "stuck-step");
    if (stuck === undefined) throw new Error("the run does not hang");
    const lines = rankLines(stuck).trimEnd().split("\n");
    expect(lines).toHaveLength(63);
    const rows = lines.map((line): { readonly rank: number; readonly loss: number } => JSON.parse(line));
    expect(rows.map(({ rank }) => rank)).not.toContain(7);
    expect(rows[0]?.loss).toBeCloseTo(stuck.ranks.columns.get("loss")?.[0] ?? 0, 5);
  });
});
