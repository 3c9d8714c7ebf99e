import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readOtlpJson } from "./otlp-json.ts";

function withList(values: string): string {
  const point = `{"asDouble":1,"attributes":[{"key":"k","value":{"arrayValue":{"values":${values}}}}]}`;
  return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[${point}]}}]}]}]}`;
}

describe("an attribute of OTLP in JSON", () => {
  it("keeps a list as it came", () => {
    const [resource] = readOtlpJson(withList('[{"stringValue":"a"}]'));
    expect(resource?.metrics[0]?.data).toMatchObject({ points: [{ attributes: [["k", '[{"stringValue":"a"}]']] }] });
  });

  it("that is nested to exhaust the stack is refused in words", () => {
    const levels = 100_000;
    const read = () => readOtlpJson(withList("[".repeat(levels) + "]".repeat(levels)));
    expect(read).toThrow(z.ZodError);
    expect(read).toThrow(/nested more than 32 levels deep/);
  });
});
