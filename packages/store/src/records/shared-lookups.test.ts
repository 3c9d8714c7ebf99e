import { describe, expect, it } from "vitest";
import { sharedLookups } from "./shared-lookups.ts";

/** Questions that are answered when the test says so. */
function heldQuestions() {
  const asked: { readonly key: string; readonly answer: (value: number) => void; readonly fail: (error: Error) => void }[] = [];
  const ask = sharedLookups<number>((key) => new Promise((answer, fail) => asked.push({ key, answer, fail })));
  return { asked, ask };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("shared look-ups", () => {
  it("ask once for all who come while a question is under way, and not with that one's answer", async () => {
    const { asked, ask } = heldQuestions();
    const first = ask("a");
    const later = [ask("a"), ask("a"), ask("a")];
    const other = ask("b");
    expect(asked.map(({ key }) => key)).toEqual(["a", "b"]);
    asked[0]?.answer(1);
    expect(await first).toBe(1);
    await turn();
    expect(asked.map(({ key }) => key)).toEqual(["a", "b", "a"]);
    asked[2]?.answer(2);
    asked[1]?.answer(3);
    expect(await Promise.all([...later, other])).toEqual([2, 2, 2, 3]);
    const again = ask("a");
    expect(asked).toHaveLength(4);
    asked[3]?.answer(4);
    expect(await again).toBe(4);
  });

  it("tell a failure to who shared it, and ask anew for the others", async () => {
    const { asked, ask } = heldQuestions();
    const first = ask("a");
    const second = ask("a");
    asked[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await turn();
    asked[1]?.answer(2);
    expect(await second).toBe(2);
  });
});
