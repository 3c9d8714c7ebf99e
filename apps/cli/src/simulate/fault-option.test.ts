import { describe, expect, it } from "vitest";
import { FAULT_KINDS, parseFault } from "./fault-option.ts";

describe("parseFault", () => {
  it("reads a kind, a step and its parameters", () => {
    expect(parseFault("spike@12000:factor=3,half-life=10,grad-lead=4")).toEqual({
      ok: true,
      fault: { kind: "spike", step: 12_000, factor: 3, halfLifeSteps: 10, gradLeadSteps: 4 },
    });
    expect(parseFault("restart@900:resume-from=500,downtime=60")).toMatchObject({
      ok: true,
      fault: { kind: "restart", resumeFrom: 500, downtimeS: 60 },
    });
    expect(parseFault("nan@900")).toEqual({ ok: true, fault: { kind: "nan", step: 900, steps: null } });
  });

  it("knows every kind, with defaults for all that can have one", () => {
    for (const kind of FAULT_KINDS) expect(parseFault(`${kind}@100${kind === "restart" ? ":resume-from=50" : ""}`).ok).toBe(true);
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ["spike", /is not KIND@STEP/],
    ["boom@5", /there is no fault "boom"; known are spike/],
    ["spike@x", /the step must be a number/],
    ["spike@0", /at least 1/],
    ["spike@5:factor", /name=value/],
    ["spike@5:size=3", /size/],
    ["spike@5:factor=-1", /factor must be above zero/],
    ["restart@5", /resume-from/],
  ];
  for (const [text, message] of refused)
    it(`refuses ${text} with a reason`, () => {
      const parsed = parseFault(text);
      expect(parsed.ok ? "" : parsed.message).toMatch(message);
    });
});
