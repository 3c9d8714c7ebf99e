import type { Sample } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createMonitor } from "../index.ts";
import { CONTEXT, findingsOf, series, woven } from "../testing/series.fixture.ts";

const norm = (level: (index: number) => number, seed = 1): Sample[] =>
  series({ metric: "grad_norm", count: 900, sigma: 0.15, seed, level });
const shiftsOf = (samples: readonly Sample[]) => findingsOf(samples).filter((finding) => finding.detector === "grad-norm-shift");

describe("a shift of the gradient norm", () => {
  it("that comes back is a note, with the loss that did not move against it", () => {
    const loss = series({ count: 900, seed: 3, level: () => 2 });
    const [finding] = shiftsOf(
      woven(
        loss,
        norm((index) => (index >= 600 && index < 640 ? 2.5 : 1)),
      ),
    );
    expect(finding).toMatchObject({ severity: "info", state: "recovered", onsetStep: 600 });
    expect(finding?.evidence.some((item) => item.weight === "against" && /The loss has not moved/.test(item.text))).toBe(true);
  });

  it("that doubles and stays is a note; that goes fivefold and stays is a warning", () => {
    expect(shiftsOf(norm((index) => (index >= 600 ? 2 : 1)))).toMatchObject([{ severity: "info", state: "shifted" }]);
    expect(shiftsOf(norm((index) => (index >= 600 ? 5 : 1)))).toMatchObject([{ severity: "warning", onsetStep: 600 }]);
  });

  it("is not the slow growth of a cooling run, nor the fall at its start", () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(shiftsOf(norm((index) => 1 + index / 900, seed)).filter((finding) => finding.severity !== "info")).toEqual([]);
      expect(shiftsOf(norm((index) => 1 + 30 * Math.exp(-index / 20), seed))).toEqual([]);
    }
  });

  it("leaves zeros and non-finite norms to other detectors", () => {
    expect(
      shiftsOf(norm(() => 1).map((sample, index) => (index % 5 === 0 ? { ...sample, value: index % 2 === 0 ? 0 : Number.NaN } : sample))),
    ).toEqual([]);
  });

  it("says so when no norm is logged", () => {
    const monitor = createMonitor(CONTEXT);
    monitor.observe(series({ count: 100, level: () => 2 }));
    expect(monitor.coverage().find((entry) => entry.detector === "grad-norm-shift")).toMatchObject({
      sees: false,
      why: "no gradient norm is logged",
    });
  });
});
