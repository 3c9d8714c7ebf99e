/** What is learnt of a node's scrapes. */
export interface Learnt {
  readonly intervalMs: number;
  /** Longest gap of late, in intervals. */
  readonly longest: number;
}

interface NodeClock {
  lastMs: number | null;
  intervalMs: number;
  count: number;
  longest: number;
}

interface Stored {
  readonly fleetMs: number | null;
  /** Nodes with an interval of their own, or gaps of late: [interval, longest, count, last]. */
  readonly nodes: Readonly<Record<string, readonly [number, number, number, number | null]>>;
}

/** Ticks come so far apart at most that a scrape more often than this looks like this. */
const LEAST_MS = 10_000;
/** What is learnt moves by so much of the difference; a gap is no interval. */
const LEARN = 0.1;
const GAP = 1.6;
/** The longest gap is forgotten by half in so long. */
const HALF_MS = 1_800_000;

/** Learns how often each node reports (15 s here, 60 s there), and which of them miss scrapes. */
export class ScrapeClock {
  readonly #design: { readonly least: number; readonly oldMs: number };
  readonly #nodes = new Map<string, NodeClock>();
  readonly #gone = new Map<string, number>();
  readonly #restored: Stored | null;
  #tickMs: number | null = null;
  #isFirst = true;

  constructor(design: { readonly least: number; readonly oldMs: number }, stored: unknown) {
    this.#design = design;
    this.#restored = isStored(stored) ? stored : null;
    for (const [id, [intervalMs, longest, count, lastMs]] of Object.entries(this.#restored?.nodes ?? {}))
      this.#nodes.set(id, { intervalMs, longest, count, lastMs });
  }

  /** Null: nothing is known of the node's interval yet, or it was gone before the watch began. */
  note(id: string, lastMs: number | null, nowMs: number): Learnt | null {
    if (this.#tickMs !== null && nowMs !== this.#tickMs) this.#isFirst = false;
    this.#tickMs = nowMs;
    if (lastMs === null) return null;
    const isFirstTick = this.#isFirst;
    const node = this.#nodes.get(id) ?? this.#fresh(id, lastMs, nowMs, isFirstTick);
    if (node.lastMs !== null && lastMs > node.lastMs) learn(node, lastMs - node.lastMs);
    if (node.lastMs === null || lastMs > node.lastMs) {
      node.lastMs = lastMs;
      this.#gone.delete(id);
    }
    if (this.#gone.get(id) === lastMs || node.count < this.#design.least) return null;
    return { intervalMs: node.intervalMs, longest: node.longest };
  }

  #fresh(id: string, lastMs: number, nowMs: number, isFirstTick: boolean): NodeClock {
    // After a restart a node that is not in the state kept the fleet's interval without a gap.
    const fleetMs = isFirstTick ? (this.#restored?.fleetMs ?? null) : null;
    const node = { lastMs, intervalMs: fleetMs ?? 0, count: fleetMs === null ? 0 : this.#design.least, longest: 1 };
    if (nowMs - lastMs > this.#design.oldMs) this.#gone.set(id, lastMs);
    this.#nodes.set(id, node);
    return node;
  }

  store(): Stored {
    const fleetMs = usual([...this.#nodes.values()].filter(({ count }) => count >= this.#design.least).map(({ intervalMs }) => intervalMs));
    const own = [...this.#nodes].filter(
      ([, node]) => node.count < this.#design.least || fleetMs === null || Math.abs(node.intervalMs - fleetMs) > 0.05 * fleetMs || node.longest > 1.05,
    );
    return { fleetMs, nodes: Object.fromEntries(own.map(([id, { intervalMs, longest, count, lastMs }]) => [id, [intervalMs, longest, count, lastMs]])) };
  }
}

function learn(node: NodeClock, gapMs: number): void {
  const gap = Math.max(gapMs, LEAST_MS);
  node.count++;
  if (node.intervalMs === 0) node.intervalMs = gap;
  // The first gaps may have been missed scrapes: a shorter one is nearer the truth.
  else if (gap < node.intervalMs / GAP) node.intervalMs = gap;
  else if (gap < node.intervalMs * GAP) node.intervalMs += LEARN * (gap - node.intervalMs);
  const decayed = 1 + (node.longest - 1) * 0.5 ** (gap / HALF_MS);
  node.longest = Math.max(decayed, gap / node.intervalMs);
}

/** The median; null of none. */
function usual(intervals: readonly number[]): number | null {
  return intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? null;
}

function isStored(stored: unknown): stored is Stored {
  return typeof stored === "object" && stored !== null && "fleetMs" in stored && "nodes" in stored && typeof stored.nodes === "object";
}
