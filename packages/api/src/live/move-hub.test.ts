import type { LiveMove } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { createMoveHub } from "./move-hub.ts";

const move = (runId: number, given: Partial<LiveMove> = {}): LiveMove => ({
  runId,
  lastStep: 1,
  samples: 10,
  atMs: 1_000,
  incidentsChanged: false,
  ...given,
});

async function take(moves: AsyncIterable<LiveMove>, count: number): Promise<readonly LiveMove[]> {
  const taken: LiveMove[] = [];
  for await (const each of moves) {
    taken.push(each);
    if (taken.length === count) break;
  }
  return taken;
}

describe("createMoveHub", () => {
  it("hands a follower every move since it followed, also those before it first asked", async () => {
    const hub = createMoveHub();
    hub.deliver(move(9));
    const followed = hub.follow(new AbortController().signal);
    hub.deliver(move(1));
    hub.deliver(move(2));
    expect((await take(followed, 2)).map(({ runId }) => runId)).toEqual([1, 2]);
  });

  it("merges moves of one run while the follower is slow: newest step, sum of samples, any change of incidents", async () => {
    const hub = createMoveHub();
    const followed = hub.follow(new AbortController().signal);
    hub.deliver(move(1, { lastStep: 5, incidentsChanged: true }));
    hub.deliver(move(1, { lastStep: 6, atMs: 2_000 }));
    hub.deliver(move(1, { lastStep: null, samples: 0, atMs: 3_000 }));
    expect(await take(followed, 1)).toEqual([{ runId: 1, lastStep: 6, samples: 20, atMs: 3_000, incidentsChanged: true }]);
  });

  it("keeps the word of results of evaluations that came before other moves of the run", async () => {
    const hub = createMoveHub();
    const followed = hub.follow(new AbortController().signal);
    hub.deliver(move(1, { lastStep: null, samples: 0, evaluationsChanged: true }));
    hub.deliver(move(1, { lastStep: 6 }));
    hub.deliver(move(2));
    expect((await take(followed, 2)).map(({ runId, evaluationsChanged }) => [runId, evaluationsChanged])).toEqual([
      [1, true],
      [2, undefined],
    ]);
  });

  it("gives each follower its own copy", async () => {
    const hub = createMoveHub();
    const [a, b] = [hub.follow(new AbortController().signal), hub.follow(new AbortController().signal)];
    hub.deliver(move(1));
    expect(await take(a, 1)).toEqual(await take(b, 1));
  });

  it("ends a waiting follower when its signal aborts", async () => {
    const gone = new AbortController();
    const rest = take(createMoveHub().follow(gone.signal), 1);
    gone.abort();
    expect(await rest).toEqual([]);
  });

  it("ends waiting and later followers when it closes", async () => {
    const hub = createMoveHub();
    const waiting = take(hub.follow(new AbortController().signal), 1);
    hub.close();
    expect(await waiting).toEqual([]);
    expect(await take(hub.follow(new AbortController().signal), 1)).toEqual([]);
  });

  it("lets go of a follower that leaves before it was first asked", () => {
    const hub = createMoveHub();
    const gone = new AbortController();
    let keptBy = 0;
    // A hub reads whose move it is for each follower that it keeps.
    const deliver = (): number => {
      keptBy = 0;
      hub.deliver({
        ...move(1),
        get runId() {
          keptBy++;
          return 1;
        },
      });
      return keptBy;
    };
    hub.follow(gone.signal);
    expect(deliver()).toBeGreaterThan(0);
    gone.abort();
    expect(deliver()).toBe(0);
    hub.follow(gone.signal);
    expect(deliver()).toBe(0);
  });
});
