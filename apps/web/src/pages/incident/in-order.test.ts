import { describe, expect, it } from "vitest";
import { inOrder } from "./in-order.ts";

const entries = (...times: readonly (number | null)[]) => times.map((atMs, index) => ({ index, atMs }));

describe("the order of a timeline", () => {
  it("is that of time, and of arrival among entries of one time", () => {
    expect(inOrder(entries(30, 10, 20, 10)).map(({ index }) => index)).toEqual([1, 3, 2, 0]);
  });
  it("is that of arrival where a log has no times", () => {
    expect(inOrder(entries(30, null, 10)).map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});
