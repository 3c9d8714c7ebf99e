import { XIDS } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { asFindings } from "./cause-input.fixture.ts";
import { hardwareShare, rankCauses } from "./rank-causes.ts";

const HARDWARE = new Set(["gpu", "memory", "pcie", "power"]);
/** Class of the device itself, and of the driver where it pages: a reset, a reboot or a new board is what they ask for. */
const hard = XIDS.filter(({ class: kind }) => HARDWARE.has(kind));
const driver = XIDS.filter(({ class: kind, policy }) => kind === "driver" && policy === "page");

describe("a rank that deviates on a GPU that has told an error", () => {
  it.each(hard.map(({ number, title }) => [number, title] as const))(
    "XID %i (%s): on three batches or more the odds are those of E.6, 0.06 : 0.94 × 30 × 10, and it is settled",
    (number) => {
      const answer = rankCauses(
        asFindings("learning", [
          ["rank-deviates", 3, "gpu GPU-a@n1"],
          ["gpu-error", number, "gpu GPU-a@n1"],
        ]),
      );
      const odds = (0.06 / 0.94) * 30 * 10;
      expect(hardwareShare(answer)).toBeCloseTo(odds / (1 + odds), 2);
      expect([answer.word, answer.causes[0]]).toMatchObject(["strong", { cause: "hardware", subjectKind: "gpu", subjectId: "GPU-a" }]);
    },
  );

  it.each(driver.map(({ number }) => [number] as const))(
    "XID %i of the driver, that is to be paged: settled as well, at half the strength",
    (number) => {
      const answer = rankCauses(
        asFindings("learning", [
          ["rank-deviates", 3, "gpu GPU-a@n1"],
          ["gpu-error", number, "gpu GPU-a@n1"],
        ]),
      );
      expect([answer.word, answer.causes[0]]).toMatchObject(["strong", { cause: "hardware", subjectId: "GPU-a" }]);
    },
  );

  it("alone is not settled by E.6's own numbers (30 at 0.06 : 0.94 is 66 %), and a replay of the step elsewhere is what settles it", () => {
    const answer = rankCauses(asFindings("learning", [["rank-deviates", 40, "gpu GPU-a@n1"]]));
    expect(hardwareShare(answer)).toBeCloseTo(0.657, 3);
    expect(answer).toMatchObject({ word: "not settled", nextTest: { test: expect.stringMatching(/^Replay the recorded step/) } });
  });

  it("is not taken for the GPU that errs where nobody has told on which GPU the rank runs", () => {
    const answer = rankCauses(
      asFindings("learning", [
        ["rank-deviates", 3, "rank 7"],
        ["gpu-error", 95, "gpu GPU-a@n1"],
      ]),
    );
    expect(answer.word).toBe("not settled");
    expect(answer.causes.filter(({ cause }) => cause === "hardware").map(({ subjectId }) => subjectId)).toEqual(["7", "GPU-a"]);
  });
});
