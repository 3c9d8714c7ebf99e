import { simulateFleet } from "@trainwatch/simulate";
import { describe, expect, it } from "vitest";
import { FLEET_FAULT_KINDS, parseFleetFault } from "./fleet-fault-option.ts";

const START = Date.UTC(2026, 10, 29);

describe("parseFleetFault", () => {
  it("reads a kind, seconds after the start and parameters", () => {
    const parsed = parseFleetFault("hot-gpu@60:node=3,gpu=5,celsius=28,slows-step-by=1.3,for=600");
    expect(parsed.ok && parsed.at(START)).toEqual({
      kind: "hot-gpu",
      node: 3,
      gpu: 5,
      celsius: 28,
      slowsStepBy: 1.3,
      atMs: START + 60_000,
      untilMs: START + 660_000,
    });
    const short = parseFleetFault("xid@0.5");
    expect(short.ok && short.at(START)).toEqual({ kind: "xid", node: 0, gpu: 0, code: 79, teardown: true, atMs: START + 500 });
  });

  it.each(FLEET_FAULT_KINDS)("knows %s, with defaults for all of it, and the simulator takes it", (kind) => {
    const parsed = parseFleetFault(`${kind}@100`);
    expect(parsed.ok).toBe(true);
    if (parsed.ok) expect(simulateFleet({ nodes: 1, seed: 1, startMs: START, faults: [parsed.at(START)] }).truth).toHaveLength(1);
  });

  it.each([
    ["xid", /is not KIND@SECONDS/],
    ["xid@-5", /is not KIND@SECONDS/],
    ["boom@5", /there is no fault "boom"; known are hot-gpu/],
    ["xid@5:code", /name=value/],
    ["xid@5:code=x", /xid: code must be a number/],
    ["xid@5:size=3", /xid: .*size/],
    ["hot-gpu@5:slows-step-by=0.5", /slowsStepBy must be at least 1/],
    ["row-remap@5:failed=maybe", /failed must be yes or no/],
    ["sentinel@5:text=abc", /text must be a number/],
  ])("refuses %s with a reason", (text, message) => {
    const parsed = parseFleetFault(text);
    expect(parsed.ok ? "" : parsed.message).toMatch(message);
  });
});
