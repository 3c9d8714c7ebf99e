import { describe, expect, it } from "vitest";
import { gateOutcome } from "./gate-outcome.ts";
import { proposalOf } from "./proposed.ts";
import { aDetail, aGate } from "./release.fixture.ts";

const override = { reason: "measured otherwise", actor: "x", atMs: 0 };

describe("the proposed candidate", () => {
  it("is the signed one, then the reader's, then the rule's", () => {
    expect(proposalOf(aDetail({ chosenScorecardId: 2 }), 3)).toEqual({ column: 1, by: "signed" });
    expect(proposalOf(aDetail(), 2)).toEqual({ column: 1, by: "chosen" });
    expect(proposalOf(aDetail(), undefined)).toEqual({ column: 2, by: "proposed" });
  });

  it("is never the baseline, nor one that is not compared", () => {
    expect(proposalOf(aDetail(), 1)?.by).toBe("proposed");
    expect(proposalOf(aDetail(), 77)?.by).toBe("proposed");
  });

  it("fails as few gates as can be, before it wins anything", () => {
    const failing = aDetail({ gateViews: [aGate(1, [{}, { state: "fail" }])] });
    expect(proposalOf(failing, undefined)?.column).toBe(1);
    const overridden = aDetail({ gateViews: [aGate(1, [{}, { state: "fail", override }])] });
    expect(proposalOf(overridden, undefined)?.column).toBe(2);
  });
});

describe("a candidate over all gates", () => {
  it("passes only where every gate is known to pass", () => {
    expect(gateOutcome([aGate(1, [{}]), aGate(2, [{}])], 1)).toBe("pass");
    expect(gateOutcome([aGate(1, [{}]), aGate(2, [{ state: "unknown" }])], 1)).toBe("unknown");
    expect(gateOutcome([aGate(1, [{ state: "unknown" }]), aGate(2, [{ state: "fail" }])], 1)).toBe("fail");
    expect(gateOutcome([aGate(1, [{ state: "fail", override }])], 1)).toBe("override");
    expect(gateOutcome([aGate(1, [])], 1)).toBe("unknown");
  });
});
