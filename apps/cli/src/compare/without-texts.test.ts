import { evalRecordSchema, promptNumber } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { withoutTexts } from "./without-texts.ts";

const sample = (prompt: string | null) =>
  evalRecordSchema.parse({
    kind: "sample",
    subject: { model: "m" },
    task: "t",
    key: "1",
    scores: { acc: 1 },
    prompt,
    target: "42",
    answer: "x".repeat(9_000),
  });
const promptOf = (given: string | null): string | null => {
  const record = withoutTexts(sample(given));
  return record.kind === "sample" ? record.prompt : null;
};

describe("a record without its texts", () => {
  it("keeps what a comparison reads", () => {
    expect(withoutTexts(sample("short"))).toMatchObject({ key: "1", scores: { acc: 1 }, prompt: "short", target: null, answer: null });
    expect(promptOf(null)).toBeNull();
  });

  it("tells long prompts apart by what stands beyond their beginning, and shows the beginning", () => {
    const begin = "é😀x".repeat(100);
    const [one, other] = [promptOf(`${begin}one`), promptOf(`${begin}other`)];
    expect([one?.slice(0, 300), (one?.length ?? 0) < 400]).toEqual([begin.slice(0, 300), true]);
    expect(promptNumber(one ?? "")).not.toBe(promptNumber(other ?? ""));
    expect(promptOf(`${begin}one`)).toBe(one);
  });
});
