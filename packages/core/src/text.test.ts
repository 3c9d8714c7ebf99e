import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeFactsSchema, isStorableText, storableText, textSchema } from "./text.ts";

/** What UTF-8 makes of a text and back again: a lone surrogate does not come back. */
const survives = (text: string): boolean => new TextDecoder().decode(new TextEncoder().encode(text)) === text && !text.includes("\0");

describe("text from outside", () => {
  it("is storable exactly where UTF-8 holds it and there is no NUL in it", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }), fc.constant(0))), (units) => {
        const text = `x${String.fromCharCode(...units)}`;
        expect(isStorableText(text)).toBe(survives(text));
        expect(textSchema.safeParse(text).success).toBe(survives(text));
        expect(isStorableText(storableText(text))).toBe(true);
        if (survives(text)) expect(storableText(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps its check through trimming and lengths", () => {
    const schema = textSchema.trim().min(1).max(3);
    expect(schema.parse(" a ")).toBe("a");
    for (const bad of ["\0", "a\0", "\ud800", " ", "abcd"]) expect(schema.safeParse(bad).success).toBe(false);
  });
});

describe("facts of a source's own choosing", () => {
  const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);

  it.each([2, 16])("may be %i levels deep", (levels) => {
    expect(freeFactsSchema.safeParse(nested(levels)).success).toBe(true);
  });

  it.each([17, 5000])("may not be %i levels deep, and the field is named", (levels) => {
    expect(freeFactsSchema.safeParse({ deep: nested(levels - 1) }).error?.issues[0]).toMatchObject({ path: ["deep"] });
  });

  it.each<[string, unknown, PropertyKey[]]>([
    ["a text", { node: "a\0" }, ["node"]],
    ["a text in a list", { gpus: [{ id: "a" }, { id: "\udc00" }] }, ["gpus", 1, "id"]],
    ["the name of a field", { facts: { "a\0": 1 } }, ["facts"]],
  ])("are refused for a character in %s that cannot be stored", (_where, facts, path) => {
    expect(freeFactsSchema.safeParse(facts).error?.issues[0]).toMatchObject({ path });
  });
});
