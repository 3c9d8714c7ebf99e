import { DETECTOR_QUALITY, QUALITY_COMMAND } from "@trainwatch/detect";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";
import { qualityWords } from "./quality-words.ts";

describe("detectors", () => {
  it("are all in the catalogue, each with what it finds, what it rests on and every parameter's meaning", async () => {
    await using bench = await createVerbBench();
    const entries = await bench.as("read").detectors.catalogue();
    expect(new Set(entries.map(({ family }) => family))).toEqual(new Set(["training", "rank", "fleet", "clock"]));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const entry of entries) {
      expect([entry.id, entry.finds.length > 0, entry.source.length > 0]).toEqual([entry.id, true, true]);
      for (const { name, meaning, inForce, value } of entry.parameters)
        expect([entry.id, name, meaning.length > 0, inForce]).toEqual([entry.id, name, true, value]);
    }
  });

  it("tell how well they do as the bench has measured it, and nothing where it has not", async () => {
    await using bench = await createVerbBench();
    const entries = await bench.as("read").detectors.catalogue();
    for (const { id, quality } of entries) expect([id, quality]).toEqual([id, qualityWords(DETECTOR_QUALITY[id], QUALITY_COMMAND)]);
    expect(entries.find(({ id }) => id === "rank-deviation")?.quality?.falseAlarms).toMatch(/^\d+ in [\d,]+ steps of 128 ranks, at most /);
  });

  it("have a precision of what people said, by week, with an interval, and what nobody has looked at apart", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const { incidents, detectors } = bench.as("operate");
    for (const [index, label] of (["right", "right", "right", "wrong", "unsure", null] as const).entries()) {
      const incidentId = await seedIncident(bench.store, runId, spikeFinding({ id: `f${index}`, detector: "loss-shift" }));
      const openedAtMs = bench.clock.now() - (index < 2 ? 0 : 7 * 86_400_000);
      await bench.store.pool.query("UPDATE incident SET opened_at_ms = $1 WHERE id = $2", [openedAtMs, incidentId]);
      if (label !== null) await incidents.label({ incidentId, label });
    }
    // A note that was drawn into the last of them is no alarm of its detector.
    const { rows } = await bench.store.pool.query<{ id: number }>("SELECT max(id) AS id FROM incident");
    const note = spikeFinding({ id: "note", detector: "jitter", severity: "info" });
    await bench.store.records.findings.upsert(runId, note, rows[0]?.id ?? 0, 0);
    const [precision, ...others] = await detectors.precision();
    expect(others).toEqual([]);
    expect(precision).toMatchObject({
      detector: "loss-shift",
      unlabelled: 1,
      total: { right: 3, wrong: 1, unsure: 1, precision: { share: 0.75 } },
    });
    // Wilson's interval of 3 of 4.
    expect(precision?.total.precision?.lower).toBeCloseTo(0.3006, 4);
    expect(precision?.total.precision?.upper).toBeCloseTo(0.9544, 4);
    expect(precision?.weeks.map(({ weekMs, right, wrong }) => [new Date(weekMs).toISOString(), right, wrong])).toEqual([
      ["2025-12-22T00:00:00.000Z", 1, 1],
      ["2025-12-29T00:00:00.000Z", 2, 0],
    ]);
  });
});
