import type { FlightDump, FlightEntry } from "@trainwatch/core";

/** A process group in which ranks wait for others. */
export interface GroupWait {
  readonly group: string;
  readonly description: string;
  readonly ranks: readonly number[];
  /** The collective that the foremost ranks have enqueued. */
  readonly seq: number;
  /** What they have called it. */
  readonly name: string;
  /** Ranks that have enqueued it and wait. */
  readonly waiting: readonly number[];
  /** Ranks that have not come so far, and the last that they have enqueued; null where their dump does not tell. */
  readonly behind: readonly { readonly rank: number; readonly seq: number | null }[];
  /** Ranks of the group that have left no dump. */
  readonly missing: readonly number[];
  /** Collectives of one number that ranks have called differently: the less usual calls. */
  readonly mismatched: readonly { readonly seq: number; readonly rank: number; readonly call: string; readonly others: string }[];
  /** Ranks whose GPU stands where the others' have gone on: they have enqueued what most others have completed, and have not completed it. */
  readonly unfinished: readonly { readonly rank: number; readonly completed: number; readonly others: number }[];
}

/** What dumps say of one group; null where nobody waits in it and nobody called anything else than the others. */
export function groupWait(group: string, dumps: readonly FlightDump[]): GroupWait | null {
  const members = dumps.flatMap((dump) => {
    const known = dump.groups.find(({ name }) => name === group);
    return known === undefined ? [] : [{ dump, known, entries: dump.entries.filter((entry) => entry.group === group && !entry.isP2p) }];
  });
  const ranks = [...new Set(members.flatMap(({ known }) => known.ranks))].sort((a, b) => a - b);
  const reached = members.map(({ dump, known, entries }) => ({ rank: dump.rank, seq: lastOf(entries, known.lastEnqueued), entries }));
  const pending = reached.filter(({ entries }) => entries.some(({ state }) => state !== "completed"));
  const front = Math.max(...pending.map(({ seq }) => seq ?? -1));
  const foremost = pending.flatMap(({ rank, entries }) => {
    const entry = entries.find(({ seq, state }) => seq === front && state !== "completed");
    return entry === undefined ? [] : [{ rank, entry }];
  });
  const mismatched = mismatches(members.map(({ dump, entries }) => ({ rank: dump.rank, entries })));
  if (foremost.length === 0 && mismatched.length === 0) return null;
  const present = new Set(members.map(({ dump }) => dump.rank));
  return {
    group,
    description: members[0]?.known.description ?? "",
    ranks,
    seq: front,
    name: foremost[0]?.entry.name ?? "",
    waiting: foremost.map(({ rank }) => rank),
    behind: reached.filter(({ seq }) => (seq ?? -1) < front).map(({ rank, seq }) => ({ rank, seq })),
    missing: ranks.filter((rank) => !present.has(rank)),
    mismatched,
    unfinished: unfinished(members.map(({ dump, known }) => ({ rank: dump.rank, ...known }))),
  };
}

/**
 * A collective ends on all ranks at about the same time, so a rank that has it pending while most others have gone beyond it is stuck in it by itself. Compared by the
 * watchdogs' own count; where a dump does not give it, nothing is said.
 */
function unfinished(
  members: readonly { readonly rank: number; readonly lastEnqueued: number | null; readonly lastCompleted: number | null }[],
): GroupWait["unfinished"] {
  const known = members.flatMap(({ rank, lastEnqueued, lastCompleted }) =>
    lastEnqueued === null || lastCompleted === null ? [] : [{ rank, enqueued: lastEnqueued, completed: lastCompleted }],
  );
  const least = Math.min(...known.map(({ completed }) => completed));
  return known.flatMap(({ rank, enqueued, completed }) => {
    const beyond = known.filter((other) => other.completed > completed);
    const isLeast = completed === least && 2 * beyond.length > known.length - 1;
    if (!isLeast || enqueued <= completed) return [];
    return [{ rank, completed, others: Math.min(...beyond.map((other) => other.completed)) }];
  });
}

function lastOf(entries: readonly FlightEntry[], lastEnqueued: number | null): number | null {
  const last = Math.max(lastEnqueued ?? -1, ...entries.map(({ seq }) => seq));
  return last < 0 ? null : last;
}

/** Calls of one number that are not like most ranks' call. Sizes are compared only where a collective wants them equal. */
function mismatches(members: readonly { readonly rank: number; readonly entries: readonly FlightEntry[] }[]): GroupWait["mismatched"] {
  const bySeq = new Map<number, { rank: number; call: string }[]>();
  for (const { rank, entries } of members) {
    for (const entry of entries) {
      const calls = bySeq.get(entry.seq) ?? [];
      calls.push({ rank, call: callOf(entry) });
      bySeq.set(entry.seq, calls);
    }
  }
  return [...bySeq].flatMap(([seq, calls]) => {
    const counts = new Map<string, number>();
    for (const { call } of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
    if (counts.size < 2) return [];
    const [usual = ""] = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1)).map(([call]) => call);
    return calls.filter(({ call }) => call !== usual).map(({ rank, call }) => ({ seq, rank, call, others: usual }));
  });
}

/** Every rank of these gives as many elements as the others; an all-to-all or a gather with uneven parts need not. */
const EVEN = /all_?reduce|broadcast|reduce_scatter|_all_gather_base|allgather_base/i;

function callOf({ name, inputSizes }: FlightEntry): string {
  return EVEN.test(name) ? `${name} ${inputSizes}` : name;
}
