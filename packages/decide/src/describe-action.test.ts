import { expect, it } from "vitest";
import { anInput } from "./advice-input.fixture.ts";
import { describeAction } from "./describe-action.ts";
import { proposeAdvice } from "./propose.ts";

it.each([
  ["GPU-ad2d8a25-3e68-9707-4e88-774080a5c9a1", "Investigate GPU-ad2d…"],
  ["GPU-ad2d8a25-3e68-9707-4e88-774080a5c9a1/link/11", "Investigate NVLink 11 of GPU-ad2d…"],
  ["c11-n07/port/mlx5_0:1", "Investigate c11-n07/port/mlx5_0:1"],
  ["c11-n07", "Investigate c11-n07"],
  ["6fc5604cd6aa09cb7ff0e1850f6bfe7f", "Investigate 6fc5604c…"],
  ["rank 9", "Investigate rank 9"],
])("names %s so that what is to be done with it stays in sight: %s", (subject, said) => {
  const advice = proposeAdvice(anInput({}));
  expect(describeAction({ ...advice, action: "investigate", subjects: [subject] })).toBe(said);
});
