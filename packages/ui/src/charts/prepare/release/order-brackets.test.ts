import { describe, expect, it } from "vitest";
import { orderPicture } from "./order-brackets.ts";

const letterOf = (column: number): string => "PABC"[column] ?? "?";

describe("the order of columns", () => {
  it("joins those that are not told apart by a bar, and parts the others by a gap", () => {
    const { letters, brackets, text } = orderPicture(
      [3, 2, 1, 0],
      [
        [3, 2],
        [1, 0],
      ],
      letterOf,
    );
    expect(letters.map(({ letter }) => letter).join("")).toBe("CBAP");
    const gaps = letters.slice(1).map(({ xPx }, index) => xPx - (letters[index]?.xPx ?? 0));
    expect(gaps).toEqual([13, 20, 13]);
    expect(brackets.map(({ line }) => line)).toEqual([0, 0]);
    expect(text).toBe("Best first: C, B, A, P; C, B not told apart; A, P not told apart");
  });

  it("draws overlapping groups on lines of their own: being alike does not pass on", () => {
    const { brackets } = orderPicture(
      [1, 2, 3],
      [
        [1, 2],
        [2, 3],
      ],
      letterOf,
    );
    expect(brackets.map(({ line }) => line)).toEqual([0, 1]);
    expect(brackets[0]?.toPx).toBeGreaterThan(brackets[1]?.fromPx ?? Number.NaN);
  });

  it("draws no bar under a letter alone, and leaves out columns that cannot be ordered", () => {
    const { letters, brackets } = orderPicture([2, 0], [[2], [0]], letterOf);
    expect(letters).toHaveLength(2);
    expect(brackets).toEqual([]);
    expect(orderPicture([], [], letterOf)).toMatchObject({ letters: [], text: "No order" });
  });
});
