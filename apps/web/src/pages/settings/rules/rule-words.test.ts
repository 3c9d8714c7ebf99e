import { ruleSchema, type Rule } from "@trainwatch/core";
import { expect, it } from "vitest";
import { ruleWord } from "./rule-words.ts";

const rule = (metric: string, value: number): Rule =>
  ruleSchema.parse({ kind: "metric", title: "mine", metric, condition: "above", value, forPoints: 3, severity: "warning", scope: {} });

it.each([
  ["loss", 2.5034, "Loss above 2.5034 nats for 3 points"],
  ["clip_fraction", 0.215, "Clip fraction above 21.5 % for 3 points"],
])("a threshold of %s reads as it was set", (metric, value, words) => {
  expect(ruleWord(rule(metric, value), undefined)).toBe(words);
});
