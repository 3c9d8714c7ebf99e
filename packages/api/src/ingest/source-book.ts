/**
 * Who sends what, beside the lineage. The lineage sees one sequence of points a series and believes that an attempt has ended when another
 * one goes on in its place. Where two sources send in turn, a push of each at a time, that is wrong: the first comes back. Then both are
 * held to the attempts their points are in, and the later one's attempt becomes a second writer of the earlier one's, unless
 * that one had long been passed: then it was only late.
 */
export interface SourceBook {
  /** In the order of their last push, newest last. */
  readonly holders: readonly Holder[];
  readonly aliases: readonly Alias[];
}

export interface Holder {
  readonly source: string;
  /** Attempt its last points were placed in, as the lineage calls it. */
  readonly attempt: string;
  /** Its pushes are placed in this attempt by name. */
  readonly isHeld: boolean;
  /** Last step of each of its series, and the most steps a push of it went forward. */
  readonly lasts: Readonly<Record<string, number>>;
  readonly span: number;
  /** Its newest pushes by number, and the attempt of the lineage each was placed in. Absent from books of before it was kept. */
  readonly pushes?: readonly NumberedPush[];
}

interface NumberedPush {
  readonly seq: number;
  readonly attempt: string;
}

/** An attempt of the lineage that is a writer of another one. */
export interface Alias {
  readonly attempt: string;
  readonly becomes: { readonly attempt: string; readonly writer: string };
}

export const EMPTY_BOOK: SourceBook = { holders: [], aliases: [] };
/** Pushes overtake each other by a few at most. */
const MOST_PUSHES = 16;
/** A job that restarts under a new source name every time; older ones do not come back. */
const MOST_HOLDERS = 32;

export interface Arrival {
  readonly source: string;
  /** Number of the push within its source. */
  readonly seq: number;
  /** First and last step of each series of the push. */
  readonly reach: Readonly<Record<string, { readonly first: number; readonly last: number }>>;
}

export interface Reception {
  readonly book: SourceBook;
  /** Attempt that the push is to be placed in by name; null: let the lineage tell. */
  readonly attempt: string | null;
  /** Aliases that have come up with this push: what was stored in such an attempt moves. */
  readonly newAliases: readonly Alias[];
}

/**
 * Looks at a push before it is placed.
 * @param current the attempt that the lineage takes for the one under way.
 * @param order names of all attempts in the order of launch.
 */
export function receive(book: SourceBook, { source, reach }: Arrival, current: string | null, order: readonly string[]): Reception {
  const mine = book.holders.find((holder) => holder.source === source);
  if (mine === undefined || !mine.isHeld) {
    const root = rootBeside(book, reach, current);
    if (root !== null) return { book, attempt: root, newAliases: [] };
  }
  if (mine === undefined) return { book, attempt: null, newAliases: [] };
  if (mine.isHeld) return { book, attempt: mine.attempt, newAliases: [] };
  const others = rivals(book, mine, reach, current, order);
  if (others.length === 0) return { book, attempt: null, newAliases: [] };
  const newAliases = others
    .filter((other) => !hasPassed(other, mine))
    .map((other) => other.attempt)
    .filter((attempt, index, all) => all.indexOf(attempt) === index && !book.aliases.some((alias) => alias.attempt === attempt));
  const root = aliased(book, { attempt: mine.attempt, writer: null }).attempt;
  const taken = book.aliases.filter((alias) => alias.becomes.attempt === root).length;
  const aliases = newAliases.map((attempt, index): Alias => ({ attempt, becomes: { attempt: root, writer: String(taken + index + 2) } }));
  const held = [mine.source, ...others.map((other) => other.source)];
  const holders = book.holders.map((holder) => (held.includes(holder.source) ? { ...holder, isHeld: true } : holder));
  return { book: { holders, aliases: [...book.aliases, ...aliases] }, attempt: mine.attempt, newAliases: aliases };
}

/** Whether `receive` would look at series that the push does not name: a book that knows of those only is not enough then. */
export function asksForAll(book: SourceBook, { source, reach }: Arrival, current: string | null, order: readonly string[]): boolean {
  const mine = book.holders.find((holder) => holder.source === source);
  return mine !== undefined && !mine.isHeld && rivals(book, mine, reach, current, order).length > 0;
}

/** Sources of later attempts that send what `mine` has gone on with, as if it had never ended. */
function rivals(
  book: SourceBook,
  mine: Holder,
  reach: Arrival["reach"],
  current: string | null,
  order: readonly string[],
): readonly Holder[] {
  if (mine.attempt === current || !goesOn(mine, reach)) return [];
  return book.holders.filter((other) => isLater(other, mine, order) && sharedSeries(other.lasts, reach).length > 0);
}

/**
 * The attempt of a push that was overtaken by a later one of its source: the numbers tell that it is late and began nothing. Null where it
 * was not, or where a new attempt has begun between the pushes before and behind it.
 */
export function overtakenIn(book: SourceBook, { source, seq }: Pick<Arrival, "source" | "seq">): string | null {
  const pushes = book.holders.find((holder) => holder.source === source)?.pushes ?? [];
  const behind = pushes.filter((push) => push.seq > seq).sort((a, b) => a.seq - b.seq)[0];
  const before = pushes.filter((push) => push.seq < seq).sort((a, b) => b.seq - a.seq)[0];
  return behind !== undefined && (before === undefined || before.attempt === behind.attempt) ? behind.attempt : null;
}

/** Notes a push after it was placed: its last points are in `attempt`. */
export function noteArrival(book: SourceBook, { source, seq, reach }: Arrival, attempt: string): SourceBook {
  const known = book.holders.find((holder) => holder.source === source);
  const pushes = [...(known?.pushes ?? []), { seq, attempt }].slice(-MOST_PUSHES);
  const isLate = known?.pushes?.some((push) => push.seq > seq) === true;
  // An overtaken push says nothing about where its source is.
  if (known !== undefined && isLate)
    return { ...book, holders: book.holders.map((each) => (each === known ? { ...known, pushes } : each)) };
  const lasts = { ...known?.lasts };
  let span = known?.span ?? 0;
  for (const [series, { first, last }] of Object.entries(reach)) {
    span = Math.max(span, last - (lasts[series] ?? first));
    lasts[series] = last;
  }
  const holder: Holder = { source, attempt, isHeld: known?.isHeld ?? false, lasts, span, pushes };
  const holders = [...book.holders.filter((each) => each.source !== source), holder];
  return { ...book, holders: holders.slice(-MOST_HOLDERS) };
}

/** Where points and attempts of the lineage really belong. */
export function aliased(
  book: SourceBook,
  placement: { readonly attempt: string; readonly writer: string | null },
): { readonly attempt: string; readonly writer: string | null } {
  const alias = book.aliases.find((each) => each.attempt === placement.attempt);
  if (alias === undefined) return placement;
  const { attempt, writer } = alias.becomes;
  // What this is a writer of may itself have become one.
  return aliased(book, { attempt, writer: placement.writer === null ? writer : `${writer}/${placement.writer}` });
}

/** Where the lineage stands in a second writer and the push has none of its series, they are series of the attempt and not of that writer. */
function rootBeside(book: SourceBook, reach: Arrival["reach"], current: string | null): string | null {
  if (current === null || !book.aliases.some((alias) => alias.attempt === current)) return null;
  const writers = book.holders.filter((holder) => holder.attempt === current);
  if (writers.length === 0 || writers.some((holder) => sharedSeries(holder.lasts, reach).length > 0)) return null;
  return aliased(book, { attempt: current, writer: null }).attempt;
}

function isLater(other: Holder, mine: Holder, order: readonly string[]): boolean {
  return other.source !== mine.source && order.indexOf(other.attempt) > order.indexOf(mine.attempt);
}

function sharedSeries(lasts: Holder["lasts"], reach: Arrival["reach"]): readonly string[] {
  return Object.keys(reach).filter((series) => lasts[series] !== undefined);
}

/** Whether the push goes on from where its source was, in every series that it had. */
function goesOn(mine: Holder, reach: Arrival["reach"]): boolean {
  const shared = sharedSeries(mine.lasts, reach);
  return shared.length > 0 && shared.every((series) => (reach[series]?.first ?? 0) > (mine.lasts[series] ?? Infinity));
}

/** Whether `other` had left behind where `mine` stood by more than pushes of either go at once: then `mine` was over, and this is late. */
function hasPassed(other: Holder, mine: Holder): boolean {
  const shared = Object.keys(mine.lasts).filter((series) => other.lasts[series] !== undefined);
  return shared.some((series) => (other.lasts[series] ?? 0) > (mine.lasts[series] ?? 0) + 2 * Math.max(other.span, mine.span, 1));
}
