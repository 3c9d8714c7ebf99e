import { describe, expect, it } from "vitest";
import { readMoves } from "./read-moves.ts";

const MOVE = { runId: 1, lastStep: null, samples: 5, atMs: 1_000, incidentsChanged: false };

describe("readMoves", () => {
  it("reads what a server announces", () => {
    expect(readMoves(JSON.stringify([MOVE, { ...MOVE, runId: 2, lastStep: 7 }]))).toEqual([MOVE, { ...MOVE, runId: 2, lastStep: 7 }]);
    expect(readMoves(JSON.stringify([{ ...MOVE, evaluationsChanged: true }]))).toEqual([{ ...MOVE, evaluationsChanged: true }]);
  });

  it.each(["", "hello", "{", "null", "{}", JSON.stringify([{ ...MOVE, runId: "1" }])])(
    "takes %j for no moves and does not throw",
    (payload) => {
      expect(readMoves(payload)).toEqual([]);
    },
  );
});
