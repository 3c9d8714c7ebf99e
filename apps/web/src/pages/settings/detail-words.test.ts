import { describe, expect, it } from "vitest";
import { detailWords } from "./detail-words.ts";

describe("details of an audit entry", () => {
  it("leaves out what is not set and keeps a zero", () => {
    expect(detailWords({ reason: "loss is back", points: 0, checkpoint: null, note: "" })).toBe("reason: loss is back, points: 0");
  });
  it("writes lists and objects as JSON", () => {
    expect(detailWords({ scopes: ["read"], before: { days: 3 } })).toBe('scopes: ["read"], before: {"days":3}');
  });
});
