import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createVerbBench, type VerbBench } from "../fixtures/verb-bench.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A run that is watched while it trains: a step every two seconds, pushed every ten, by a clock of its own that is `skewMs` ahead of the server's. */
class Training {
  readonly #bench: VerbBench;
  readonly #skewMs: number;
  #step = 0;
  #seq = 0;

  constructor(bench: VerbBench, skewMs = 0) {
    this.#bench = bench;
    this.#skewMs = skewMs;
  }

  get step(): number {
    return this.#step;
  }

  nowMs(): number {
    return this.#bench.clock.now() + this.#skewMs;
  }

  async push(series: Parameters<typeof buildPush>[1], given: Partial<PushInput> = {}): Promise<void> {
    await this.#bench.as("ingest").ingest.push(buildPush({ source: "r", seq: ++this.#seq, ...given }, series));
  }

  async steps(pushes: number, given: Partial<PushInput> = {}): Promise<void> {
    for (let push = 0; push < pushes; push++) {
      this.#bench.clock.advance(10 * SECOND);
      const points = [1, 2, 3, 4, 5].map((ahead) => [this.#step + ahead, 2, this.nowMs() - 2 * SECOND * (5 - ahead)] as const);
      this.#step += 5;
      await this.push([{ metric: "loss", points }], given);
    }
  }

  /** It is heard of, and makes no step. */
  async beats(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 5) {
      this.#bench.clock.advance(5 * SECOND);
      await this.push([{ metric: "heartbeat", labels: { rank: String(this.#seq) }, points: [[this.#step, 1]] }]);
    }
  }
}

const ask = (bench: VerbBench, detector: string, parameters: Readonly<Record<string, number>> = {}) =>
  bench.as("read").rules.backtest({ rule: { kind: "detector", detector, scope: {}, parameters } });

describe("a back-test of what only the clock can tell", () => {
  it.each([
    ["the same clock", 0],
    ["a clock three minutes ahead", 3 * MINUTE],
    ["a clock three minutes behind", -3 * MINUTE],
  ])("finds a hang where it was, within a minute, on %s; and none where the run was silent or ended", async (_, skewMs) => {
    await using bench = await createVerbBench();
    const training = new Training(bench, skewMs);
    await training.steps(20);
    const stoodMs = training.nowMs();
    await training.beats(90);
    await training.steps(20);
    // Nothing at all is heard for ten minutes: it is silent, and nobody knows whether it hangs (D1).
    bench.clock.advance(10 * MINUTE);
    await training.steps(5, { ended: "crashed" });
    const answer = await ask(bench, "hang");
    expect(answer).toMatchObject({ detector: "hang", family: "clock", fired: 1, fresh: 1, cut: null, caveats: [] });
    expect(answer.firings[0]).toMatchObject({ run: "test/run", attempt: "a1", onsetStep: 100, severity: "critical" });
    const delayMs = (answer.firings[0]?.detectedTimeMs ?? 0) - stoodMs;
    expect(delayMs).toBeGreaterThanOrEqual(60 * SECOND);
    expect(delayMs).toBeLessThanOrEqual(75 * SECOND);
    // With more patience it would not have been told; and it would have been missed, had there been an incident.
    expect(await ask(bench, "hang", { least: 120 })).toMatchObject({ fired: 0 });
  });

  it("holds an announced save for what it is", async () => {
    await using bench = await createVerbBench();
    const training = new Training(bench);
    await training.steps(20);
    const events = [{ kind: "checkpoint-started", step: training.step, timeMs: training.nowMs(), text: "saving" }];
    await training.push([], { events });
    await training.beats(120);
    await training.steps(5);
    expect(await ask(bench, "hang")).toMatchObject({ fired: 0 });
    expect(await ask(bench, "hang", { phase: 30 })).toMatchObject({ fired: 1 });
  });

  it("tells ranks that stopped at different steps from what they logged (F5)", async () => {
    await using bench = await createVerbBench();
    const training = new Training(bench);
    const ranks = (steps: readonly number[], atMs: number) =>
      steps.map((step, rank) => ({ metric: "loss", labels: { rank: String(rank) }, points: [[step, 2, atMs] as const] }));
    for (let step = 1; step <= 187; step++) {
      bench.clock.advance(2 * SECOND);
      await training.push(ranks([step, step, step, step], training.nowMs()));
    }
    for (const ahead of [188, 189]) {
      bench.clock.advance(2 * SECOND);
      await training.push(ranks([ahead, ahead, ahead], training.nowMs()));
    }
    await training.beats(90);
    const [firing] = (await ask(bench, "hang")).firings;
    expect(firing?.summary).toContain("rank 3 is behind");
    expect(firing?.onsetStep).toBe(189);
  });

  it("finds saves that stopped coming, and says of incomplete ones what is not stored", async () => {
    await using bench = await createVerbBench();
    const training = new Training(bench);
    for (let at = 50; at <= 200; at += 50) {
      await training.steps(10);
      await training.push([], { checkpoints: [{ step: at, state: at === 200 ? "incomplete" : "verified", savedAtMs: training.nowMs() }] });
    }
    await training.steps(30);
    const late = await ask(bench, "checkpoint-late");
    expect(late).toMatchObject({ fired: 1, caveats: [] });
    expect(late.firings[0]?.onsetStep).toBe(200);
    const failed = await ask(bench, "checkpoint-failed");
    expect(failed).toMatchObject({ fired: 1, firings: [{ onsetStep: 200 }] });
    expect(failed.caveats).toEqual([expect.stringMatching(/^test\/run: of a checkpoint only its newest state is stored/)]);
  });

  it("says by name what cannot be tried: a log without times, and what was heard of a log that was read in afterwards", async () => {
    await using bench = await createVerbBench();
    const steps = Array.from({ length: 200 }, (_, index) => index + 1);
    const log = (name: string, timeOf: (step: number) => number | undefined) =>
      buildPush({ source: name, seq: 1, run: { project: "test", name } }, [
        {
          metric: "loss",
          points: steps.map((step) => (timeOf(step) === undefined ? ([step, 2] as const) : ([step, 2, timeOf(step) ?? 0] as const))),
        },
      ]);
    await bench.as("ingest").ingest.push(log("timeless", () => undefined));
    await bench.as("ingest").ingest.push(log("old", (step) => 1_000_000 + step * 2_000 + (step > 100 ? 10 * MINUTE : 0)));
    const answer = await ask(bench, "hang");
    // A gap in which nothing of it was heard is silence, not a hang.
    expect(answer.fired).toBe(0);
    expect([...answer.caveats].sort()).toEqual([
      "test/old was read in after it had trained: whether anything was heard of it while its steps stood is known of its samples alone.",
      "test/timeless a1: its samples tell no times, so hang cannot be tried on it.",
    ]);
  });
});
