import { expect, it } from "vitest";
import type { LineHead } from "./window-lines.ts";
import { portionsOf } from "./window-portions.ts";

const line = (first: number, members: number): readonly number[] => Array.from({ length: members }, (_, index) => first + index);
const head = (of: number, points: number): LineHead => ({
  line: of,
  attemptId: 1,
  points,
  farPoints: 0,
  untimedPoints: 0,
  firstStep: 1,
  lastStep: 2,
  firstTimeMs: null,
  lastTimeMs: null,
  slowestRate: null,
});

it("D5: reads a hundred thousand ranks in portions of a million entries, each series once and in order", () => {
  const lines = [line(1, 131_072), line(200_000, 2)];
  const portions = portionsOf(lines, [head(0, 131_072 * 99), head(1, 4_000_000)], 1024);
  expect(portions.flat()).toEqual(lines.flat());
  expect(Math.max(...portions.map(({ length }) => length))).toBe(10_485);
  expect(portions).toHaveLength(13);
});

it("reads the cells of long series, so that few of them are one portion", () => {
  expect(portionsOf([line(1, 85)], [head(0, 85_000_000)], 1024)).toHaveLength(1);
  expect(portionsOf([line(1, 86)], [head(0, 86_000_000)], 1024)).toHaveLength(2);
  expect(portionsOf([], [], 1024)).toEqual([]);
});
