import type { FlightDump } from "@trainwatch/core";
import { groupWait, type GroupWait } from "./group-wait.ts";

/** Why a rank is suspected, the strongest first. */
export type SuspectCause = "missing-dump" | "mismatched-call" | "behind" | "unfinished";

export interface Suspect {
  readonly rank: number;
  readonly cause: SuspectCause;
  /** For people: which groups wait for it. */
  readonly reasons: readonly string[];
  /** Ranks that wait for it, directly or because they wait for one that does. */
  readonly victims: number;
}

export interface FlightAnalysis {
  /** Most suspect first. */
  readonly suspects: readonly Suspect[];
  /** Groups in which ranks wait or have called different things. */
  readonly waits: readonly GroupWait[];
  readonly dumps: number;
  /** Ranks that ought to have left a dump. */
  readonly expected: number;
}

/**
 * Ranks whom the others wait for, from what dumps were left (E8). A rank without a dump is the top suspect: whatever kills the process or holds
 * its interpreter keeps it from writing one, and the analysis of the others goes on without it. Then ranks that called another collective than
 * their peers under one number. Then ranks that are behind and wait for nobody themselves: one that is behind because it waits is a victim. Last, ranks whose GPU has not
 * completed what their peers' have: their process goes on enqueuing and looks innocent by the count of calls.
 * The method is that of PyTorch's `torchfrtrace` and NVIDIA's resiliency extension: per group, who is absent at the lowest number that is waited for.
 * @param worldSize how many ranks there were; null: as many as the groups name
 */
export function rankSuspects(dumps: readonly FlightDump[], worldSize: number | null = null): FlightAnalysis {
  const present = new Set(dumps.map(({ rank }) => rank));
  const named = dumps.flatMap(({ groups }) => groups.flatMap(({ ranks }) => ranks));
  const expected = [...new Set([...named, ...present, ...Array.from({ length: worldSize ?? 0 }, (_, rank) => rank)])].sort((a, b) => a - b);
  const groups = [...new Set(dumps.flatMap((dump) => dump.groups.map(({ name }) => name)))];
  const waits = groups.flatMap((group) => groupWait(group, dumps) ?? []);
  const missing = expected.filter((rank) => !present.has(rank));
  const waitsFor = waitGraph(waits);
  const suspects = [
    ...missing.map((rank) => suspectOf(rank, "missing-dump", ["It has left no dump.", ...reasonsOf(rank, waits)], waitsFor)),
    ...mismatchedRanks(waits).map((rank) => suspectOf(rank, "mismatched-call", reasonsOf(rank, waits), waitsFor)),
    ...behindRanks(waits)
      .filter((rank) => (waitsFor.get(rank)?.size ?? 0) === 0)
      .map((rank) => suspectOf(rank, "behind", reasonsOf(rank, waits), waitsFor)),
    ...unfinishedRanks(waits).map((rank) => suspectOf(rank, "unfinished", reasonsOf(rank, waits), waitsFor)),
  ];
  const order: readonly SuspectCause[] = ["missing-dump", "mismatched-call", "behind", "unfinished"];
  const ranked = suspects.sort((a, b) => order.indexOf(a.cause) - order.indexOf(b.cause) || b.victims - a.victims || a.rank - b.rank);
  // A rank is named once, for the strongest cause.
  return {
    suspects: ranked.filter(({ rank }, place) => ranked.findIndex((each) => each.rank === rank) === place),
    waits,
    dumps: dumps.length,
    expected: expected.length,
  };
}

/** For each rank that waits, whom it waits for. */
function waitGraph(waits: readonly GroupWait[]): ReadonlyMap<number, ReadonlySet<number>> {
  const graph = new Map<number, Set<number>>();
  for (const { waiting, behind, missing } of waits) {
    for (const rank of waiting) {
      const known = graph.get(rank) ?? new Set<number>();
      for (const other of [...behind.map((each) => each.rank), ...missing]) known.add(other);
      graph.set(rank, known);
    }
  }
  return graph;
}

function suspectOf(
  rank: number,
  cause: SuspectCause,
  reasons: readonly string[],
  waitsFor: ReadonlyMap<number, ReadonlySet<number>>,
): Suspect {
  const victims = new Set<number>();
  const open = [rank];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [waiter, others] of waitsFor) {
      if (waiter === rank || victims.has(waiter) || !others.has(at)) continue;
      victims.add(waiter);
      open.push(waiter);
    }
  }
  return { rank, cause, reasons, victims: victims.size };
}

function mismatchedRanks(waits: readonly GroupWait[]): readonly number[] {
  return [...new Set(waits.flatMap(({ mismatched }) => mismatched.map(({ rank }) => rank)))];
}

function behindRanks(waits: readonly GroupWait[]): readonly number[] {
  return [...new Set(waits.flatMap(({ behind }) => behind.map(({ rank }) => rank)))];
}

/** One that is unfinished in one group and has gone on with its peers in another has only been slower to say so. */
function unfinishedRanks(waits: readonly GroupWait[]): readonly number[] {
  const named = [...new Set(waits.flatMap(({ unfinished }) => unfinished.map(({ rank }) => rank)))];
  return named.filter((rank) => {
    const own = waits.filter(({ waiting, behind }) => waiting.includes(rank) || behind.some((each) => each.rank === rank));
    const stuck = own.filter(({ unfinished }) => unfinished.some((each) => each.rank === rank));
    return 2 * stuck.length > own.length;
  });
}

function reasonsOf(rank: number, waits: readonly GroupWait[]): readonly string[] {
  return waits.flatMap(({ group, description, seq, name, waiting, behind, missing, mismatched, unfinished }) => {
    const title = description === "" ? `group ${group}` : `${description} (group ${group})`;
    const late = behind.find((each) => each.rank === rank);
    return [
      ...(waiting.length > 0 && (late !== undefined || missing.includes(rank))
        ? [
            `${title}: ${waiting.length === 1 ? "1 rank waits" : `${waiting.length} ranks wait`} in ${name} ${seq}${late === undefined ? "" : late.seq === null ? "; it has not come there" : `; it has come to ${late.seq}`}.`,
          ]
        : []),
      ...mismatched
        .filter((each) => each.rank === rank)
        .map((each) => `${title}: it called ${each.call} as number ${each.seq}, the others ${each.others}.`),
      ...unfinished
        .filter((each) => each.rank === rank)
        .map((each) => `${title}: its GPU has completed ${each.completed}, most others' ${each.others} or more.`),
    ];
  });
}
