import type { ReadingCounts } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { createReadingTally } from "./reading-tally.ts";

describe("the tally of readings", () => {
  it("writes the sum once, and nothing where nothing came", async () => {
    const written: ReadingCounts[] = [];
    const tally = createReadingTally((counts) => Promise.resolve(void written.push(counts)));
    await tally.flush();
    tally.add({ accepted: 5, repeated: 1, refused: 0 });
    tally.add({ accepted: 7, repeated: 0, refused: 2 });
    await tally.flush();
    await tally.flush();
    expect(written).toEqual([{ accepted: 12, repeated: 1, refused: 2 }]);
  });

  it("keeps what could not be written for the next time", async () => {
    const written: ReadingCounts[] = [];
    let isAway = true;
    const tally = createReadingTally((counts) => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(void written.push(counts))));
    tally.add({ accepted: 5, repeated: 0, refused: 0 });
    await tally.flush();
    isAway = false;
    tally.add({ accepted: 1, repeated: 0, refused: 0 });
    await tally.flush();
    expect(written).toEqual([{ accepted: 6, repeated: 0, refused: 0 }]);
  });
});
