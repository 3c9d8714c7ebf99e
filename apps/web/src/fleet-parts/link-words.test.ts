import { describe, expect, it } from "vitest";
import { topTraffic, verdictWords } from "./link-words.ts";

const link = (port: number, given: object = {}) => ({
  id: `GPU-a/link/${port}`,
  gpuId: "GPU-a",
  port,
  txPerS: null,
  rxPerS: null,
  errorsPerS: null,
  state: "unknown" as const,
  ...given,
});

describe("NVLink of a node", () => {
  it("E7: is unknown and never OK where nobody tells of it", () => {
    expect(verdictWords({ verdict: "unknown", links: [link(0)] })).toMatchObject({ mark: "unknown", word: "Unknown" });
    expect(verdictWords({ verdict: "ok", links: [link(0, { errorsPerS: 0, txPerS: 1 })] }).mark).toBe("ok");
  });

  it("E7: is not OK while a link is down, which counts no error", () => {
    const links = [link(0, { state: "down", errorsPerS: 0 }), link(1, { state: "up", errorsPerS: 0, txPerS: 1 })];
    expect(verdictWords({ verdict: "unknown", links })).toEqual({ mark: "critical", word: "Down", why: "1 of 2 links is down" });
  });

  it("counts the links that err", () => {
    expect(verdictWords({ verdict: "errors", links: [link(0, { errorsPerS: 2 }), link(1)] }).why).toBe("1 of 2 links count errors");
  });

  it("compares traffic with the busiest link of the node", () => {
    expect(topTraffic([link(0, { txPerS: 5e9 }), link(1, { txPerS: 24e9 }), link(2)])).toBe(24e9);
    expect(topTraffic([])).toBe(1);
  });
});
