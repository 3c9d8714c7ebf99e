import { createHash } from "node:crypto";
import { incidentExportSchema, metricName, type IncidentExport } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createFleetWorld, gpuLabels, MINUTE, T0, uuid } from "../../fleet/fleet-world.fixture.ts";
import { createVerbBench, seedIncident, spikeFinding, type VerbBench } from "../../fixtures/verb-bench.ts";

const RANKS = [0, 1, 2, 3];

/** A run of so many steps whose loss rises at 1,000 and whose rank 2 has a norm of its own; answers the incident's id. */
async function seedWorld(bench: VerbBench, steps = 1_200): Promise<{ readonly runId: number; readonly incidentId: number }> {
  const points = (value: (step: number) => number) =>
    Array.from({ length: steps }, (_, index) => [index + 1, value(index + 1), (index + 1) * 1_000] as const);
  const loss = (step: number): number => (step === 1_003 ? Number.NaN : step < 1_000 ? 2 : 5);
  const { runId } = await bench.as("ingest").ingest.push(
    buildPush({ source: "export", seq: 0 }, [
      { metric: "loss", points: points(loss) },
      ...RANKS.map((rank) => ({
        metric: "grad_norm",
        labels: { rank: String(rank) },
        points: points((step) => (rank === 2 && step >= 1_000 ? 9 : 1 + rank / 10)),
      })),
    ]),
  );
  const finding = spikeFinding({
    onsetTimeMs: 1_000_000,
    evidence: [
      { text: "Loss is 3.0 above its baseline | and <b>rising</b>", weight: "for", value: 3, unit: null, source: "loss" },
      { text: "No XID on its nodes", weight: "against", value: null, unit: null, source: null },
    ],
    place: { rank: 2, gpuId: null, nodeId: null, host: null },
  });
  return { runId, incidentId: await seedIncident(bench.store, runId, finding) };
}

async function exported(bench: VerbBench, incidentId: number): Promise<IncidentExport> {
  const { text } = await bench.as("read").incidents.export({ incidentId, format: "json" });
  return incidentExportSchema.parse(JSON.parse(text));
}

describe("exporting an incident", () => {
  it("holds what is known of it, and the series around the onset as data: each step, bands over ranks, the suspected rank by itself", async () => {
    await using bench = await createVerbBench();
    const { incidentId } = await seedWorld(bench);
    const { content } = await exported(bench, incidentId);
    expect(content.incident).toMatchObject({
      id: incidentId,
      run: "test/run",
      attempt: "a1",
      onsetStep: 1_000,
      onset: "1970-01-01T00:16:40.000Z",
    });
    expect(content.findings.map(({ id }) => id)).toEqual([spikeFinding().id]);
    const lineOf = (metric: string, labels: object = {}) =>
      content.series.find((line) => line.metric === metric && JSON.stringify(line.labels) === JSON.stringify(labels));
    const loss = lineOf("loss");
    expect([loss?.stepsPerBin, loss?.firstStep[0], loss?.firstStep.at(-1)]).toEqual([1, 488, 1_200]);
    expect(loss?.mean.slice(511, 515)).toEqual([2, 5, 5, 5]);
    const bin = loss?.firstStep.indexOf(1_003);
    expect(loss?.nonFinite).toEqual([[bin, "NaN", 1, 1_003]]);
    expect(lineOf("grad_norm")).toMatchObject({ members: 4 });
    expect(lineOf("grad_norm")?.max.at(-1)).toBe(9);
    expect(lineOf("grad_norm", { rank: "2" })?.mean.slice(511, 513)).toEqual([1.2, 9]);
  });

  it("is frozen: later samples change neither its text nor its hash, and the same facts have the same hash", async () => {
    await using bench = await createVerbBench();
    const { incidentId } = await seedWorld(bench);
    const first = await exported(bench, incidentId);
    expect(first.contentHash).toBe(createHash("sha256").update(JSON.stringify(first.content)).digest("hex"));
    bench.clock.advance(60_000);
    const again = await exported(bench, incidentId);
    expect([again.exportedAt === first.exportedAt, again.contentHash]).toEqual([false, first.contentHash]);
    await bench.as("operate").incidents.comment({ incidentId, text: "looked at it" });
    expect((await exported(bench, incidentId)).contentHash).not.toBe(first.contentHash);
  });

  it("bins what is longer than 2,048 steps, and says so", async () => {
    await using bench = await createVerbBench();
    const { incidentId } = await seedWorld(bench, 9_000);
    const [loss] = (await exported(bench, incidentId)).content.series;
    expect(loss?.stepsPerBin).toBeGreaterThan(1);
    expect(loss?.firstStep.length).toBeLessThanOrEqual(2_048);
    expect(loss?.points.reduce((sum, points) => sum + points, 0)).toBe(9_000 - 487);
  });

  it("reads as Markdown: what, since when, for and against, who did what, and the rows around the onset", async () => {
    await using bench = await createVerbBench();
    const { incidentId } = await seedWorld(bench);
    const operator = bench.as("operate");
    const { id: adviceId } = await operator.advice.propose({ incidentId });
    await operator.decisions.decide({ adviceId, verdict: "declined", reason: "the data | team looks first" });
    await operator.incidents.comment({ incidentId, text: "line one\nline <img src=x>" });
    await operator.incidents.comment({ incidentId, text: "![x](https://evil.example/x.png) \\| `a`" });
    const { text, fileName, mediaType } = await operator.incidents.export({ incidentId, format: "markdown" });
    expect([fileName, mediaType]).toEqual([`incident-${incidentId}.md`, "text/markdown"]);
    expect(text).toMatch(/^# Incident \d+: Loss spike/);
    expect(text).toContain("| Began | step 1,000, 1970-01-01T00:16:40.000Z |");
    expect(text).toContain("For:\n- Loss is 3.0 above its baseline | and &lt;b>rising&lt;/b> (loss)");
    expect(text).toContain("Against:\n- No XID on its nodes");
    expect(text).toContain("**operate** declined: the data | team looks first");
    expect(text).toMatch(/\| operate \| Declined: .*the data \\\| team looks first \|/);
    expect(text).toContain("| line one line &lt;img src=x> |");
    expect(text).toContain("| !\\[x\\](https://evil.example/x.png) \\\\\\| \\`a\\` |");
    expect(text).toContain("\n1000,1,5,5,5\n1001,1,5,5,5\n1002,1,5,5,5\n1003,1,NaN,NaN,NaN\n");
  });

  it("holds what was read of the suspected GPU from before the onset, and nothing of others", async () => {
    await using world = await createFleetWorld();
    const { bench, read } = world;
    for (let minute = -20; minute <= 0; minute++)
      await world.send(
        T0 + minute * MINUTE,
        [0, 1].flatMap((gpu) => [
          ["DCGM_FI_DEV_GPU_TEMP", gpuLabels("n1", gpu), 50 + gpu + (gpu === 1 && minute > -10 ? 30 : 0)] as const,
          // Read by the detector, though the finding has a word of its own for what it read.
          ["DCGM_FI_DEV_THERMAL_VIOLATION", gpuLabels("n1", gpu), 0] as const,
        ]),
      );
    const hot = spikeFinding({
      attempt: "",
      detector: "thermal",
      metric: "temperature",
      subject: { kind: "gpu", id: uuid(1) },
      onsetStep: null,
      onsetLowerStep: null,
      detectedStep: null,
      onsetTimeMs: T0 - 10 * MINUTE,
      detectedTimeMs: T0 - 9 * MINUTE,
    });
    const incident = {
      id: null,
      run: null,
      attempt: "",
      state: "open" as const,
      severity: "warning" as const,
      findings: [hot],
      regressionOf: null,
      owner: null,
      openedAtMs: T0,
      acknowledgedAtMs: null,
      snoozedUntilMs: null,
      resolvedAtMs: null,
      flaps: 0,
    };
    const incidentId = (await bench.store.records.incidents.create(null, incident, hot.id, T0)) ?? 0;
    await bench.store.records.findings.upsert(null, hot, incidentId, T0);
    const { content } = await exported(bench, incidentId);
    expect(content.fleetSeries.map(({ entity, field }) => [entity, field])).toEqual([
      [uuid(1), metricName("DCGM_FI_DEV_GPU_TEMP")],
      [uuid(1), metricName("DCGM_FI_DEV_THERMAL_VIOLATION")],
    ]);
    expect(content.fleetSeries[0]?.unit).toBe("°C");
    const [line] = content.fleetSeries;
    expect(line?.mean.filter((value) => value !== null)).toEqual([
      ...Array.from({ length: 11 }, () => 51),
      ...Array.from({ length: 10 }, () => 81),
    ]);
    expect(content.series).toEqual([]);
    const { text } = await read.incidents.export({ incidentId, format: "markdown" });
    expect(text).toContain("| Run | none that is watched |");
    expect(text).toContain(`| ${uuid(1)} | °C | 21 | 51 | 81 |`);
  });

  it("says what it lacks where nothing is known of a step or a run", async () => {
    await using bench = await createVerbBench();
    const { runId } = await seedWorld(bench, 10);
    const incidentId = await seedIncident(bench.store, runId, spikeFinding({ id: "f9", onsetStep: null, onsetLowerStep: null }));
    const { content } = await exported(bench, incidentId);
    expect([content.series, content.leftOut]).toEqual([[], ["The run's series: the step at which it began is not known."]]);
  });

  it("says what it leaves out: metrics, ranks and devices beyond its bounds", async () => {
    await using bench = await createVerbBench();
    const { runId, incidentId } = await seedWorld(bench, 10);
    for (let index = 0; index < 7; index++) {
      const finding = spikeFinding({
        id: `m${index}`,
        metric: `metric_${index}`,
        onsetTimeMs: 1_000_000,
        place: { rank: index, gpuId: uuid(index), nodeId: null, host: null },
      });
      await bench.store.records.findings.upsert(runId, finding, incidentId, 0);
    }
    // What was read of a device is no series of the run, and takes none of their places.
    const hot = spikeFinding({ id: "hot", attempt: "", metric: "DCGM_FI_DEV_GPU_TEMP", subject: { kind: "gpu", id: uuid(0) } });
    await bench.store.records.findings.upsert(runId, hot, incidentId, 0);
    expect((await exported(bench, incidentId)).content.leftOut).toEqual([
      "The series of 1 of 9 metrics that findings speak of.",
      "The series of 3 of 7 suspected ranks.",
      "The suspects' readings after the first day.",
      "The series of 3 of 7 suspected devices.",
    ]);
  });
});
