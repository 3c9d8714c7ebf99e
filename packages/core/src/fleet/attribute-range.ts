/** What an attribute was, from a time until the next one; `toMs` null while it holds. */
export interface AttributeRange {
  readonly value: string;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** What has to change so that a value seen at a time is told. `correct` stands alone; `close` goes with `add` or `extend`. */
export interface RangeChange {
  /** The range before ends at this time. */
  readonly close: number | null;
  /** The range after begins at this time already. */
  readonly extend: number | null;
  /** The range before began at this very time: its value was another one. */
  readonly correct: string | null;
  readonly add: AttributeRange | null;
}

const NOTHING = { close: null, extend: null, correct: null, add: null } as const;

/**
 * Tells a value seen at a time to the ranges of one attribute. Sightings may come in any order and any number of times; one that says nothing new
 * leaves no trace, so that a late one of another value cuts the range it falls into there, until that range's end. `before` is the last range that
 * begins at or before `seenAtMs`, `after` the first that begins later. Null: it is known already.
 */
export function changeOfRanges(
  before: AttributeRange | null,
  after: AttributeRange | null,
  value: string,
  seenAtMs: number,
): RangeChange | null {
  const holds = before !== null && (before.toMs === null || seenAtMs < before.toMs);
  if (holds && before.value === value) return null;
  if (holds && before.fromMs === seenAtMs) return { ...NOTHING, correct: value };
  const close = holds ? seenAtMs : null;
  const joinsNext = after !== null && after.value === value && (!holds || before.toMs === after.fromMs);
  if (joinsNext) return { ...NOTHING, close, extend: seenAtMs };
  const toMs = holds ? before.toMs : (after?.fromMs ?? null);
  return { ...NOTHING, close, add: { value, fromMs: seenAtMs, toMs } };
}
