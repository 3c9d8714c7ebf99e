import { createHash } from "node:crypto";
import { canonicalJson } from "@trainwatch/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { pushHash } from "./body-hash.ts";
import { parsePush } from "./parse-push.ts";
import type { ParsedPush } from "./parsed-push.ts";

/** Piece by piece, as the hashes were made that are stored. */
function plainHash({ columns, ...head }: ParsedPush): string {
  const hash = createHash("sha256").update(canonicalJson(head));
  for (const { series, step, time, value, missing, badIndexes, badValues } of columns) {
    const bad = badValues.length > 0 ? [badIndexes, badValues] : [badIndexes];
    hash.update(JSON.stringify([series, step?.length ?? null, time?.length ?? null, value.length, ...bad]));
    for (const column of [step, time, value, missing])
      if (column !== null) hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return hash.digest("hex");
}

const column = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.constantFrom(8_191, 8_192, 9_000, 20_000)), fc.boolean(), fc.boolean())
  .map(([length, isTimed, hasHoles]) => {
    const step = Array.from({ length }, (_, index) => index);
    return {
      series: 0,
      step,
      ...(isTimed ? { time: step.map((at) => 1e12 + at) } : {}),
      value: step.map((at) => (hasHoles && at % 3 === 0 ? null : hasHoles && at % 7 === 1 ? "high" : at / 3)),
    };
  });

it("a push has the hash that it has always had, however its columns fill the pieces that are hashed together", () => {
  fc.assert(
    fc.property(fc.array(column, { maxLength: 12 }), (columns) => {
      const push = parsePush({ source: "s", seq: 0, run: { project: "p", name: "r" }, series: [{ metric: "loss" }], columns });
      expect(pushHash(push)).toBe(plainHash(push));
    }),
    { numRuns: 60 },
  );
});
