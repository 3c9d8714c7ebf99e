import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordDifference, type TextPiece } from "./word-difference.ts";

const joined = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join("");
const own = (pieces: readonly TextPiece[]): string[] => pieces.filter(({ isShared }) => !isShared).map(({ text }) => text.trim());

describe("the difference of two answers", () => {
  it("marks the words that only one of them has", () => {
    const { left, right } = wordDifference("so 33 gallons remain.", "so 125 litres remain.");
    expect([own(left), own(right)]).toEqual([
      ["33", "gallons"],
      ["125", "litres"],
    ]);
  });

  it("marks nothing in equal texts, and everything where one is empty", () => {
    expect(own(wordDifference("a b", "a b").left)).toEqual([]);
    expect(wordDifference("", "a b")).toEqual({ left: [], right: [{ text: "a b", isShared: false }] });
  });

  it("keeps an early word apart from a late one", () => {
    expect(own(wordDifference("x a b c", "a b c x").left)).toEqual(["x"]);
  });

  it("marks the middle as a whole where both are very long", () => {
    const long = (word: string): string => `same ${Array.from({ length: 2_000 }, (_, index) => `${word}${index}`).join(" ")} end`;
    const { left } = wordDifference(long("a"), long("b"));
    expect(left.map(({ isShared }) => isShared)).toEqual([true, false, true]);
  });

  it("never changes a text, and shares the same words of both in the same order", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", " ", "\n"), { maxLength: 60 }).map((parts) => parts.join(""));
    const shared = (pieces: readonly TextPiece[]): string => joined(pieces.filter(({ isShared }) => isShared));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { left, right } = wordDifference(a, b);
        expect([joined(left), joined(right)]).toEqual([a, b]);
        expect(shared(left)).toBe(shared(right));
      }),
    );
  });
});
