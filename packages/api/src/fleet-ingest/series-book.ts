import { createHash } from "node:crypto";
import { identifySeries, type RawLabels, type SeriesIdentity } from "@trainwatch/core";
import type { SeriesPlace } from "@trainwatch/store";
import { createGenerations } from "./generations.ts";
import { type Fault, identityFault, seriesFault } from "./series-fault.ts";
import { createWeightGate } from "./weight-gate.ts";

/** Series whose labels are known without a look at the database: 100,000 GPUs' worth of a small exporter, some 300 MB at most. */
const MOST_SERIES = 1_000_000;
/**
 * Series that are learnt at the same time at most. Labels, identities and attributes of one weigh some kilobytes until it has its place: a fleet
 * that is switched on at once is learnt bit by bit.
 */
const MOST_LEARNT_AT_ONCE = 4_096;
/** Names of places are looked through for dead ones when there are so many more than the last time. */
const SWEEP_EVERY = 100_000;

/** By which labels a sender calls a place by now. The same series may be called otherwise later, and the earlier way again after that (E4). */
interface CalledBy {
  labels: number;
}

/** A series as a sender calls it. */
export interface KnownSeries extends SeriesPlace {
  readonly calledBy: CalledBy;
  /** Of its name and all its labels. */
  readonly labels: number;
}

export interface AskedSeries {
  readonly name: string;
  /** As the source sends them, without `__name__`. */
  readonly labels: RawLabels;
}

export interface SeriesBookDeps {
  places(identities: readonly SeriesIdentity[], seenAtMs: number): Promise<readonly SeriesPlace[]>;
  /** Tells the records of nodes, entities and attributes that were true at a time. */
  observe(identities: readonly SeriesIdentity[], timeMs: number): Promise<void>;
  readonly mostSeries?: number;
}

/** What a process remembers of the series that senders have told it of. */
export interface SeriesBook {
  /**
   * The series that `sender` calls by `key`, which stands for name and labels: their bytes, or a digest of them. Undefined where it must be
   * learnt: never seen, forgotten, or its place is called otherwise by now.
   * @param sender keeps those apart who call the same series differently at the same time
   */
  find(sender: string, key: string): KnownSeries | undefined;
  /** Makes places for series where there are none, and tells the records what their labels say at `timeMs`. Answers in the order of `asked`. */
  learn(sender: string, asked: readonly AskedSeries[], timeMs: number): Promise<readonly (KnownSeries | Fault)[]>;
  /** Remembers what was learnt under a key. */
  keep(sender: string, key: string, series: KnownSeries): void;
  /** Counts the times that a place has got other labels: while it stands, everything that was current still is. */
  changes(): number;
}

export function isFault(answer: KnownSeries | Fault): answer is Fault {
  return "code" in answer;
}

/** False where the place is called by other labels since this series was learnt. */
export function isCurrent({ calledBy, labels }: KnownSeries): boolean {
  return calledBy.labels === labels;
}

export function createSeriesBook({ places, observe, mostSeries = MOST_SERIES }: SeriesBookDeps): SeriesBook {
  const known = createGenerations<KnownSeries>(mostSeries);
  const callers = createCallers();
  const learning = createWeightGate(MOST_LEARNT_AT_ONCE);
  let changes = 0;
  const learn = async (sender: string, asked: readonly AskedSeries[], timeMs: number): Promise<readonly (KnownSeries | Fault)[]> => {
    const judged = asked.map(identify);
    const identities = judged.filter((each): each is SeriesIdentity => !("code" in each));
    const placed = await places(identities, timeMs);
    await observe(identities, timeMs);
    let next = 0;
    return judged.map((each, index): KnownSeries | Fault => {
      if ("code" in each) return each;
      const place = placed[next++];
      const raw = asked[index];
      if (place === undefined || raw === undefined) throw new Error(`no place was given to ${each.key}`);
      const labels = hashLabels(raw);
      const calledBy = callers.of(`${sender}\0${each.target}\0${place.groupId}\0${place.slot}`, labels);
      if (calledBy.labels !== labels) {
        calledBy.labels = labels;
        changes++;
      }
      return { groupId: place.groupId, slot: place.slot, calledBy, labels };
    });
  };
  return {
    find(sender, key) {
      const series = known.get(keyOf(sender, key));
      return series === undefined || !isCurrent(series) ? undefined : series;
    },
    learn: (sender, asked, timeMs) => learning.within(asked.length, () => learn(sender, asked, timeMs)),
    keep: (sender, key, series) => known.set(keyOf(sender, key), series, 1),
    changes: () => changes,
  };
}

function identify({ name, labels }: AskedSeries): SeriesIdentity | Fault {
  const fault = seriesFault(name, labels);
  if (fault !== null) return fault;
  const identity = identifySeries(name, labels);
  return identityFault(identity) ?? identity;
}

function keyOf(sender: string, key: string): string {
  return `${sender}\0${key}`;
}

/** 48 bits of a digest: two label sets of one place with the same would hide one change of an attribute. */
function hashLabels({ name, labels }: AskedSeries): number {
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHash("sha256")
    .update(JSON.stringify([name, entries]))
    .digest()
    .readUIntBE(0, 6);
}

/** Of each sender, target and place the way it is called, for as long as a known series refers to it. */
function createCallers(): { of(key: string, labels: number): CalledBy } {
  const callers = new Map<string, WeakRef<CalledBy>>();
  let sweepAt = SWEEP_EVERY;
  return {
    of(key, labels) {
      const known = callers.get(key)?.deref();
      if (known !== undefined) return known;
      const made: CalledBy = { labels };
      callers.set(key, new WeakRef(made));
      if (callers.size >= sweepAt) {
        for (const [each, reference] of callers) if (reference.deref() === undefined) callers.delete(each);
        sweepAt = callers.size + SWEEP_EVERY;
      }
      return made;
    },
  };
}
