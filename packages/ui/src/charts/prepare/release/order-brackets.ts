export interface OrderLetter {
  readonly column: number;
  readonly letter: string;
  /** Middle of the letter. */
  readonly xPx: number;
}
/** A bar under letters that are not told apart. Overlapping ones stand on lines of their own. */
export interface OrderBracket {
  readonly fromPx: number;
  readonly toPx: number;
  readonly line: number;
}
export interface OrderPicture {
  readonly letters: readonly OrderLetter[];
  readonly brackets: readonly OrderBracket[];
  readonly widthPx: number;
  /** "C and B not told apart, then A and P not told apart": for readers. */
  readonly text: string;
}

const LETTER_PX = 13;
const GAP_PX = 7;
const EDGE_PX = 4;

/** Columns best first, with bars that join those of one group; a gap stands where no group spans two neighbours. */
export function orderPicture(
  order: readonly number[],
  tieGroups: readonly (readonly number[])[],
  letterOf: (column: number) => string,
): OrderPicture {
  const place = new Map(order.map((column, index) => [column, index]));
  const spans = tieGroups
    .map((group) => group.flatMap((column) => place.get(column) ?? []))
    .filter((places) => places.length > 1)
    .map((places) => ({ from: Math.min(...places), to: Math.max(...places) }))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const isJoined = (index: number): boolean => spans.some(({ from, to }) => from <= index && index + 1 <= to);
  let x = EDGE_PX;
  const letters = order.map((column, index) => {
    const letter = { column, letter: letterOf(column), xPx: x + LETTER_PX / 2 };
    x += LETTER_PX + (isJoined(index) ? 0 : GAP_PX);
    return letter;
  });
  return { letters, brackets: brackets(spans, letters), widthPx: x, text: orderText(order, spans, letterOf) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function brackets(spans: readonly Span[], letters: readonly OrderLetter[]): readonly OrderBracket[] {
  const ends: number[] = [];
  return spans.map(({ from, to }) => {
    const free = ends.findIndex((end) => end < from);
    const line = free === -1 ? ends.length : free;
    ends[line] = to;
    return { fromPx: (letters[from]?.xPx ?? 0) - 5, toPx: (letters[to]?.xPx ?? 0) + 5, line };
  });
}

function orderText(order: readonly number[], spans: readonly Span[], letterOf: (column: number) => string): string {
  if (order.length === 0) return "No order";
  const ties = spans.map(
    ({ from, to }) =>
      `${order
        .slice(from, to + 1)
        .map(letterOf)
        .join(", ")} not told apart`,
  );
  return [`Best first: ${order.map(letterOf).join(", ")}`, ...ties].join("; ");
}
