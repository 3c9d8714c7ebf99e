/** What is learnt of a node's scrapes. */
export interface Learnt {
  readonly intervalMs: number;
  /** Share of its scrapes that were missed of late. */
  readonly missed: number;
  /** By how much its newest reading is older than an interval explains: its clock is behind, or what it sends takes so long. */
  readonly behindMs: number;
}

interface NodeClock {
  lastMs: number | null;
  intervalMs: number;
  count: number;
  missed: number;
  /** Age of a reading when it is first seen: the least of late. NaN before the first. */
  ageMs: number;
}

interface Stored {
  readonly fleetMs: number | null;
  readonly scrapes: number;
  readonly misses: number;
  /** Nodes with an interval of their own, or misses of late: [interval, missed, count, last, age]. */
  readonly nodes: Readonly<Record<string, readonly [number, number, number, number | null, number | null]>>;
}

/** Ticks come so far apart at most that a scrape more often than this looks like this. */
const LEAST_MS = 10_000;
/** What is learnt moves by so much of the difference; a gap is no interval. */
const LEARN = 0.1;
const GAP = 1.6;
/** A gap of more intervals is an outage, and says nothing of how often a scrape is missed. */
const OUTAGE = 4.5;
/** A reading is at most an interval old when it is first seen; what is older by half of one is so for another reason. */
const PROMPT = 1.5;
/** A node's own misses are forgotten with each scrape by so much. */
const FORGET = 0.01;
/** What is taken of a fleet that nobody has watched yet, and how fast the fleet's misses are forgotten (half in some 100,000 scrapes a node). */
const PRIOR = { scrapes: 1_000, misses: 0.1 } as const;
const LONGEST_MEMORY = 2e7;

/** Learns how often each node reports (15 s here, 60 s there), and how often scrapes are missed, by node and on the whole. */
export class ScrapeClock {
  readonly #design: { readonly least: number; readonly oldMs: number };
  readonly #nodes = new Map<string, NodeClock>();
  readonly #gone = new Map<string, number>();
  readonly #restored: Stored | null;
  #scrapes: number;
  #misses: number;
  #tickMs: number | null = null;
  #isFirst = true;

  constructor(design: { readonly least: number; readonly oldMs: number }, stored: unknown) {
    this.#design = design;
    this.#restored = isStored(stored) ? stored : null;
    this.#scrapes = this.#restored?.scrapes ?? PRIOR.scrapes;
    this.#misses = this.#restored?.misses ?? PRIOR.misses;
    for (const [id, [intervalMs, missed, count, lastMs, ageMs]] of Object.entries(this.#restored?.nodes ?? {}))
      this.#nodes.set(id, { intervalMs, missed, count, lastMs, ageMs: ageMs ?? Number.NaN });
  }

  /** Share of all scrapes that were missed of late. */
  get missed(): number {
    return this.#misses / this.#scrapes;
  }

  /** Null: nothing is known of the node's interval yet, or it was gone before the watch began. */
  note(id: string, lastMs: number | null, nowMs: number): Learnt | null {
    if (this.#tickMs !== null && nowMs !== this.#tickMs) this.#isFirst = false;
    this.#tickMs = nowMs;
    if (lastMs === null) return null;
    const node = this.#nodes.get(id) ?? this.#fresh(id, lastMs, nowMs);
    if (node.lastMs !== null && lastMs > node.lastMs) this.#learn(node, lastMs - node.lastMs);
    if (node.lastMs === null || lastMs > node.lastMs) {
      node.lastMs = lastMs;
      const ageMs = Math.max(0, nowMs - lastMs);
      // A backlog or a step of the clock makes it larger little by little; the first prompt reading ends it.
      node.ageMs = ageMs < node.ageMs || Number.isNaN(node.ageMs) ? ageMs : node.ageMs + LEARN * (ageMs - node.ageMs);
      this.#gone.delete(id);
    }
    if (this.#gone.get(id) === lastMs || node.count < this.#design.least) return null;
    return { intervalMs: node.intervalMs, missed: node.missed, behindMs: behindOf(node) };
  }

  /** Nodes that the fleet has no more are forgotten. */
  keepOnly(ids: ReadonlyMap<string, unknown>): void {
    if (this.#nodes.size <= ids.size) return;
    for (const id of this.#nodes.keys()) if (!ids.has(id)) this.#nodes.delete(id);
    for (const id of this.#gone.keys()) if (!ids.has(id)) this.#gone.delete(id);
  }

  #fresh(id: string, lastMs: number, nowMs: number): NodeClock {
    // After a restart a node that is not in the state kept the fleet's interval without a miss.
    const fleetMs = this.#isFirst ? (this.#restored?.fleetMs ?? null) : null;
    const node = { lastMs, intervalMs: fleetMs ?? 0, count: fleetMs === null ? 0 : this.#design.least, missed: 0, ageMs: Number.NaN };
    if (nowMs - lastMs > this.#design.oldMs) this.#gone.set(id, lastMs);
    this.#nodes.set(id, node);
    return node;
  }

  #learn(node: NodeClock, gapMs: number): void {
    const gap = Math.max(gapMs, LEAST_MS);
    node.count++;
    if (node.intervalMs === 0) node.intervalMs = gap;
    // The first gaps may have been missed scrapes: a shorter one is nearer the truth.
    else if (gap < node.intervalMs / GAP) node.intervalMs = gap;
    else if (gap < node.intervalMs * GAP) node.intervalMs += LEARN * (gap - node.intervalMs);
    const isMiss = gap >= node.intervalMs * GAP && gap < node.intervalMs * OUTAGE;
    const next = node.missed + FORGET * (Number(isMiss) - node.missed);
    node.missed = next < 1e-4 ? 0 : next;
    const keep = this.#scrapes < LONGEST_MEMORY ? 1 : 1 - 1 / LONGEST_MEMORY;
    this.#scrapes = keep * this.#scrapes + 1;
    this.#misses = keep * this.#misses + Number(isMiss);
  }

  store(): Stored {
    const known = [...this.#nodes.values()].filter(({ count }) => count >= this.#design.least);
    const fleetMs = usual(known.map(({ intervalMs }) => intervalMs));
    const own = [...this.#nodes].filter(
      ([, node]) =>
        node.count < this.#design.least ||
        fleetMs === null ||
        Math.abs(node.intervalMs - fleetMs) > 0.05 * fleetMs ||
        node.missed > 0 ||
        behindOf(node) > 0,
    );
    const nodes = Object.fromEntries(
      own.map(([id, { intervalMs, missed, count, lastMs, ageMs }]) => [
        id,
        [intervalMs, missed, count, lastMs, Number.isNaN(ageMs) ? null : ageMs] as const,
      ]),
    );
    return { fleetMs, scrapes: this.#scrapes, misses: this.#misses, nodes };
  }
}

function behindOf({ ageMs, intervalMs }: NodeClock): number {
  return ageMs > PROMPT * intervalMs ? ageMs - intervalMs : 0;
}

/** The median; null of none. */
function usual(intervals: readonly number[]): number | null {
  return intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? null;
}

function isStored(stored: unknown): stored is Stored {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "fleetMs" in stored &&
    "scrapes" in stored &&
    "misses" in stored &&
    "nodes" in stored &&
    typeof stored.nodes === "object"
  );
}
