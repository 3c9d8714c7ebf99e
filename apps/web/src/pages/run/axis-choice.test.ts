import { describe, expect, it } from "vitest";
import { axisOptions, nextAxis, shownAxis } from "./axis-choice.ts";

const all = [
  { axis: "step", available: true, why: null },
  { axis: "tokens", available: true, why: null },
  { axis: "time", available: true, why: null },
] as const;
const noTokens = [all[0], { axis: "tokens", available: false, why: "no tokens_consumed and no tokens per step" }, all[2]] as const;

describe("the x axis", () => {
  it("offers only what all the runs have and says who lacks what", () => {
    const options = axisOptions([
      { name: "llm-a", axes: all },
      { name: "llm-b", axes: noTokens },
    ]);
    expect(options).toEqual([
      { axis: "step", unavailable: null },
      { axis: "tokens", unavailable: "llm-b: no tokens_consumed and no tokens per step" },
      { axis: "time", unavailable: null },
    ]);
  });

  it("goes round the offered ones by key", () => {
    const options = axisOptions([{ name: "llm-b", axes: noTokens }]);
    expect(nextAxis("step", options)).toBe("time");
    expect(nextAxis("time", options)).toBe("step");
  });

  it("stays where nothing else is offered", () => {
    expect(nextAxis("step", axisOptions([{ name: "r", axes: [all[0]] }]))).toBe("step");
  });

  it("A12: draws a run whose step is constant against time", () => {
    expect(shownAxis(undefined, { axes: all, stepIsConstant: true })).toBe("time");
    expect(shownAxis("step", { axes: all, stepIsConstant: true })).toBe("step");
  });

  it("falls back to the step where the link asks for an axis the run lacks", () => {
    expect(shownAxis("tokens", { axes: noTokens, stepIsConstant: false })).toBe("step");
  });
});
