import { describe, expect, it } from "vitest";
import { formatMetric } from "./metric-value.ts";
import { MINUS } from "./number.ts";

describe("values of a metric", () => {
  it.each([
    ["loss", 2.0714, "2.071", "nats"],
    ["loss", 0, "0.000", "nats"],
    ["loss", "NaN", "NaN", ""],
    ["loss", "Infinity", "+Inf", ""],
    ["loss", null, "–", ""],
    ["learning_rate", 3e-4, `3.00e${MINUS}4`, ""],
    ["learning_rate", 0.0012, "0.00120", ""],
    ["tokens_per_second", 2_020_000, "2.02", "M tokens/s"],
    ["tokens_per_second", 812.4, "812", "tokens/s"],
    ["tokens_per_second", 5.3, "5.30", "tokens/s"],
    ["eval/mmlu/acc", 0.6412, "0.6412", ""],
    ["some_count", 12, "12", ""],
    ["some_count", 12345, "12,345", ""],
    ["some_value", 1234.5678, "1,234.6", ""],
    ["huge", 3e20, "3.00e20", ""],
  ] as const)("writes %s %s as %s %s", (metric, value, text, unit) => {
    expect(formatMetric(metric, value)).toEqual({ text, unit });
  });

  it("takes the source's unit before the catalogue's", () => {
    expect(formatMetric("loss", 1.5, "bits").unit).toBe("bits");
  });
});
