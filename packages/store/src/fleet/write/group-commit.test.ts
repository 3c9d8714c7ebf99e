import { describe, expect, it } from "vitest";
import type { TailRow, WriteOutcome } from "../contract.ts";
import { createGroupCommit } from "./group-commit.ts";
import { row, T0 } from "./rows.fixture.ts";

interface Commit {
  readonly requests: readonly (readonly TailRow[])[];
  finish(): void;
  fail(error: Error): void;
}

/** Commits that end when the test says so. */
function heldCommits(queueBytes?: number, rest?: () => Promise<void>) {
  const commits: Commit[] = [];
  const { add } = createGroupCommit({
    ...(queueBytes === undefined ? {} : { queueBytes }),
    ...(rest === undefined ? {} : { rest }),
    commit: (requests) =>
      new Promise<readonly WriteOutcome[]>((resolve, reject) => {
        const accepted = requests.map((rows) => ({
          accepted: rows.reduce((sum, { slots }) => sum + slots.length, 0),
          repeated: 0,
          conflicts: [],
        }));
        commits.push({ requests, finish: () => resolve(accepted), fail: reject });
      }),
  });
  return { commits, add };
}

const rows = (slots: number): readonly TailRow[] => [
  row(
    1,
    T0,
    Array.from({ length: slots }, (_, slot) => [slot, slot]),
  ),
];
/** All that waits for this turn of the event loop has begun. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));

describe("group commit", () => {
  it("answers before it rests, and takes what came meanwhile when it has rested", async () => {
    const rested: (() => void)[] = [];
    const { commits, add } = heldCommits(undefined, () => new Promise((resolve) => rested.push(resolve)));
    const early = [add(rows(1))];
    await turn();
    early.push(add(rows(2)));
    await turn();
    for (const { finish } of commits) finish();
    expect((await Promise.all(early)).map(({ accepted }) => accepted)).toEqual([1, 2]);
    const late = add(rows(3));
    await turn();
    expect(commits).toHaveLength(2);
    rested[0]?.();
    await turn();
    commits[2]?.finish();
    expect((await late).accepted).toBe(3);
  });

  it("puts what arrives together, and what arrives while it commits, into one commit, and answers each its own", async () => {
    const { commits, add } = heldCommits();
    const first = [1, 2, 3].map((slots) => add(rows(slots)));
    await turn();
    expect(commits.map(({ requests }) => requests.length)).toEqual([3]);
    const second = [4].map((slots) => add(rows(slots)));
    await turn();
    const third = [5, 6].map((slots) => add(rows(slots)));
    await turn();
    // Two are under way; the rest waits.
    expect(commits.map(({ requests }) => requests.length)).toEqual([3, 1]);
    commits[0]?.finish();
    expect((await Promise.all(first)).map(({ accepted }) => accepted)).toEqual([1, 2, 3]);
    await turn();
    expect(commits.map(({ requests }) => requests.length)).toEqual([3, 1, 2]);
    commits[1]?.finish();
    commits[2]?.finish();
    expect((await Promise.all([...second, ...third])).map(({ accepted }) => accepted)).toEqual([4, 5, 6]);
  });

  it("fails all that share a commit that failed, and goes on with the next", async () => {
    const { commits, add } = heldCommits();
    const lost = Promise.allSettled([add(rows(1)), add(rows(2))]);
    await turn();
    commits[0]?.fail(new Error("away"));
    expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = add(rows(3));
    await turn();
    commits[1]?.finish();
    expect((await next).accepted).toBe(3);
  });

  it("sends callers away while more waits than may, and takes them again after that", async () => {
    const { commits, add } = heldCommits(8 * 10);
    const held = add(rows(10));
    await turn();
    await expect(add(rows(1))).rejects.toMatchObject({ code: "unavailable", details: { waitingBytes: 80 } });
    commits[0]?.finish();
    await held;
    // What is larger than the queue itself goes through when nothing else waits.
    const large = add(rows(11));
    await turn();
    commits[1]?.finish();
    expect((await large).accepted).toBe(11);
  });
});
