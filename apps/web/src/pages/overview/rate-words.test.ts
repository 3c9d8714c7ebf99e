import { describe, expect, it } from "vitest";
import { rateNote, rateUnknownWord } from "./rate-words.ts";

describe("the rate of all open incidents", () => {
  it.each([
    [{ noGpus: 0, silent: 1 }, "not known: 1 incident on a silent run"],
    [{ noGpus: 2, silent: 0 }, "not known: 2 incidents on runs without a number of GPUs"],
    [{ noGpus: 1, silent: 3 }, "not known: 3 incidents on silent runs, 1 incident on a run without a number of GPUs"],
  ])("says of %j why none is known, rather than zero", (rateUnknown, expected) => {
    expect(rateUnknownWord({ gpuHoursPerHour: null, rateUnknown })).toBe(expected);
    expect(rateNote({ gpuHoursPerHour: null, rateUnknown })).toBeUndefined();
  });

  it("says how many a known rate leaves out", () => {
    expect(rateNote({ gpuHoursPerHour: 512, rateUnknown: { noGpus: 1, silent: 2 } })).toBe("and 3 more of unknown rate");
    expect(rateNote({ gpuHoursPerHour: 0, rateUnknown: { noGpus: 0, silent: 0 } })).toBeUndefined();
  });
});
