import { describe, expect, it } from "vitest";
import { createMonitor } from "../index.ts";
import type { Sample } from "@trainwatch/core";
import { CONTEXT, findingsOf, series, woven } from "../testing/series.fixture.ts";
import { isHit } from "../testing/traces.fixture.ts";

const by = (samples: readonly Sample[], detector: string) => findingsOf(samples).filter((finding) => finding.detector === detector);
const steps = (level: (index: number) => number, count = 1_400, sigma = 0.02) =>
  series({ metric: "step_time", count, sigma, seed: 21, level });
const rate = (level: (index: number) => number, metric = "tokens_per_second") =>
  series({ metric, count: 600, sigma: 0.02, seed: 22, level });

describe("throughput drop", () => {
  const dropped = (index: number) => (index >= 400 ? 8e5 : 1e6);

  it("is a warning where nothing else says that the run is slow, dated to its first low point", () => {
    expect(by(rate(dropped), "throughput-drop")).toMatchObject([
      { severity: "warning", metric: "tokens_per_second", onsetStep: 400, detectedStep: 404, state: "ongoing" },
    ]);
    expect(by(rate(dropped), "throughput-drop")[0]?.summary).toMatch(
      /^Throughput fell at step 400: from [\d,]+ to 79\d,\d+ tokens\/s \(−2\d %\), and still is\.$/,
    );
  });

  it("is a note where slow steps are a warning already, and where MFU repeats what the tokens say", () => {
    const slow = series({ metric: "step_time", count: 600, sigma: 0.01, seed: 23, level: (index) => (index >= 400 ? 1.25 : 1) });
    const findings = findingsOf(
      woven(
        slow,
        rate(dropped),
        rate((index) => dropped(index) / 2e4, "mfu"),
      ),
    );
    const told = findings.filter(({ metric }) => ["step_time", "tokens_per_second", "mfu"].includes(metric));
    expect(told.filter(({ severity }) => severity !== "info").map(({ detector }) => detector)).toEqual(["step-time"]);
    expect(told.map(({ metric }) => metric).toSorted()).toEqual(["mfu", "step_time", "tokens_per_second"]);
  });

  it("that has stayed low until that was the rate ends when the rate before is back, and stays the note that it was beside slow steps", () => {
    const level = (index: number) => (index >= 400 && index < 1_600 ? 0.8 : 1);
    const long = { count: 2_000, sigma: 0.01, seed: 22 };
    const tokens = series({ ...long, metric: "tokens_per_second", level: (index) => 1e6 * level(index) });
    const mfu = series({ ...long, metric: "mfu", level });
    const time = series({ ...long, metric: "step_time", level: (index) => 1 / level(index) });
    expect(by(woven(tokens, mfu), "throughput-drop")).toMatchObject([
      { metric: "tokens_per_second", severity: "warning", state: "recovered", endStep: 1_599 },
      { metric: "mfu", severity: "info", state: "recovered", endStep: 1_599 },
    ]);
    expect(by(woven(time, tokens), "throughput-drop")).toMatchObject([{ severity: "info", state: "recovered", endStep: 1_599 }]);
  });

  it("ends when the rate is back, and is silent on scatter, on a rise, and on a rate of zero", () => {
    expect(
      by(
        rate((index) => (index >= 400 && index < 450 ? 8e5 : 1e6)),
        "throughput-drop",
      ),
    ).toMatchObject([{ state: "recovered", endStep: 449 }]);
    expect(
      by(
        rate(() => 1e6),
        "throughput-drop",
      ),
    ).toEqual([]);
    expect(
      by(
        rate((index) => (index >= 400 ? 2e6 : 1e6)),
        "throughput-drop",
      ),
    ).toEqual([]);
    expect(
      by(
        rate(() => 0),
        "throughput-drop",
      ),
    ).toEqual([]);
  });
});

describe("jitter", () => {
  const jittery = (from: number, share: number) => (index: number) => (index >= from && isHit(index, share) ? 1.4 : 1);

  it("is a warning when a calm run has more than 5 % of slow steps among the last 500", () => {
    const [finding, second] = by(steps(jittery(700, 0.12)), "jitter");
    expect(second).toBeUndefined();
    expect(finding).toMatchObject({ severity: "warning", state: "ongoing" });
    expect(finding?.onsetStep).toBeGreaterThanOrEqual(700);
    expect(finding?.onsetStep).toBeLessThan(730);
    expect((finding?.detectedStep ?? 0) - (finding?.onsetStep ?? 0)).toBeLessThan(400);
  });

  it("is a note where the run has been so from the first: its work may vary by nature", () => {
    expect(by(steps(jittery(0, 0.12)), "jitter")).toMatchObject([{ severity: "info" }]);
  });

  it("ends when slow steps have become rare again", () => {
    const findings = by(
      steps((index) => (index >= 600 && index < 900 && isHit(index, 0.15) ? 1.4 : 1), 2_000),
      "jitter",
    );
    expect(findings).toMatchObject([{ state: "recovered" }]);
    expect(findings[0]?.endStep).toBeLessThan(900);
  });

  it.each([
    ["3 % of slow steps", (index: number) => (index > 600 && isHit(index, 0.03) ? 1.4 : 1)],
    ["a checkpoint each tenth step", (index: number) => (index > 600 && index % 10 === 0 ? 3 : 1)],
    [
      "checkpoints each 25th step and evaluations each 40th",
      (index: number) => (index > 600 && (index % 25 === 0 || index % 40 === 0) ? 3 : 1),
    ],
    ["a stretch of slow steps, which the step-time detector tells", (index: number) => (index > 800 && index < 900 ? 1.4 : 1)],
    ["no slow step", () => 1],
  ])("is silent on %s", (_, level) => expect(by(steps(level), "jitter")).toEqual([]));

  it("leaves out steps whose batch is heavier, whichever of the two is logged first", () => {
    const heavy = (index: number) => index > 600 && isHit(index, 0.15);
    const time = steps((index) => (heavy(index) ? 1.4 : 1));
    const load = series({ metric: "sequence_load", count: 1_400, sigma: 0.01, seed: 24, level: (index) => (heavy(index) ? 1.5e9 : 1e9) });
    expect(by(woven(load, time), "jitter")).toEqual([]);
    expect(by(woven(time, load), "jitter")).toEqual([]);
    expect(by(time, "jitter")).toHaveLength(1);
  });
});

describe("checkpoint slow", () => {
  const saves = (level: (index: number) => number) =>
    series({ metric: "checkpoint_save_time", count: 40, every: 100, sigma: 0.1, seed: 25, level });

  it("is a note for one slow save and a warning for three in a row", () => {
    expect(
      by(
        saves((index) => (index === 20 ? 120 : 30)),
        "checkpoint-slow",
      ),
    ).toMatchObject([{ severity: "info", onsetStep: 2_000, endStep: 2_100, state: "recovered", shape: "point" }]);
    expect(
      by(
        saves((index) => (index >= 20 && index < 24 ? 120 : 30)),
        "checkpoint-slow",
      ),
    ).toMatchObject([{ severity: "warning", onsetStep: 2_000, endStep: 2_400, state: "recovered" }]);
  });

  it("takes a time that has stayed for twenty saves for the usual one", () => {
    expect(
      by(
        saves((index) => (index >= 10 ? 120 : 30)),
        "checkpoint-slow",
      ),
    ).toMatchObject([{ state: "shifted" }]);
  });

  it("has recovered when a save takes what was usual before, however long the other time was the usual one", () => {
    expect(
      by(
        series({
          metric: "checkpoint_save_time",
          count: 80,
          every: 100,
          sigma: 0.1,
          seed: 25,
          level: (index) => (index >= 10 && index < 60 ? 120 : 30),
        }),
        "checkpoint-slow",
      ),
    ).toMatchObject([{ state: "recovered", severity: "warning", onsetStep: 1_000, endStep: 6_000 }]);
  });

  it("is silent on scatter, and says that it cannot see where saves are few", () => {
    expect(
      by(
        saves(() => 30),
        "checkpoint-slow",
      ),
    ).toEqual([]);
    const monitor = createMonitor(CONTEXT);
    monitor.observe(saves(() => 30).slice(0, 3));
    expect(monitor.coverage().find(({ detector }) => detector === "checkpoint-slow")?.why).toBe("too short: 3 saves, a usual time needs 5");
  });
});
