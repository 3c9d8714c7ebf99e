/** A text that wants to stand at x pixels; higher `weight` is placed first. */
export interface WantedLabel {
  readonly xPx: number;
  readonly text: string;
  readonly weight: number;
  /** Where the labelled thing begins, if it has an extent: a text on its left ends before that. */
  readonly fromPx?: number;
}

export interface PlacedLabel {
  /** Index in what was asked. */
  readonly index: number;
  readonly xPx: number;
  readonly anchor: "start" | "end";
  /** 0 is the topmost row. */
  readonly row: number;
}

/** Width of a character of 11 px text, on the wide side: system faces differ by 12 %. */
const CHAR_PX = 6.4;
const GAP_PX = 6;

export function textWidthPx(text: string): number {
  return text.length * CHAR_PX;
}

export interface LabelRoom {
  readonly widthPx: number;
  readonly rows: number;
  /** Side to try first. */
  readonly prefer: "start" | "end";
  /** Distance of the text from its place. */
  readonly offsetPx: number;
  /** Places that no text may cover, save those within the thing that it labels: marks of the same row. */
  readonly obstaclesPx?: readonly number[];
  /** Where a text would be hard to read, as over a line: taken only where nothing else is free. */
  readonly isBusy?: ((row: number, fromPx: number, toPx: number) => boolean) | undefined;
}

/** Places labels so that none overlaps another or leaves the plot; those that find no room are left out (their mark stays). */
export function placeLabels(
  wanted: readonly WantedLabel[],
  { widthPx, rows, prefer, offsetPx, obstaclesPx = [], isBusy }: LabelRoom,
): readonly PlacedLabel[] {
  const taken: { readonly row: number; readonly from: number; readonly to: number }[] = [];
  const placed: PlacedLabel[] = [];
  const order = wanted.map((label, index) => ({ ...label, index })).sort((a, b) => b.weight - a.weight || a.xPx - b.xPx);
  const sides = prefer === "start" ? (["start", "end"] as const) : (["end", "start"] as const);
  for (const label of order) {
    const width = textWidthPx(label.text);
    const attempt = (row: number, anchor: "start" | "end") => {
      const from = anchor === "start" ? label.xPx + offsetPx : (label.fromPx ?? label.xPx) - offsetPx - width;
      const to = from + width;
      const free =
        from >= 0 &&
        to <= widthPx &&
        !obstaclesPx.some((obstacle) => obstacle > from - GAP_PX && obstacle < to + GAP_PX && !isOwn(label, obstacle)) &&
        taken.every((other) => other.row !== row || to + GAP_PX <= other.from || from >= other.to + GAP_PX);
      return free ? { row, from, to, anchor } : null;
    };
    const calm = (row: number, anchor: "start" | "end") => {
      const spot = attempt(row, anchor);
      return spot !== null && isBusy?.(row, spot.from, spot.to) === true ? null : spot;
    };
    const spot = firstFree(rows, sides, calm) ?? firstFree(rows, sides, attempt);
    if (spot === null) continue;
    taken.push(spot);
    placed.push({ index: label.index, row: spot.row, anchor: spot.anchor, xPx: spot.anchor === "start" ? spot.from : spot.to });
  }
  return placed.sort((a, b) => a.index - b.index);
}

function isOwn({ xPx, fromPx = xPx }: WantedLabel, place: number): boolean {
  return place >= fromPx && place <= xPx;
}

function firstFree<T>(
  rows: number,
  sides: readonly ("start" | "end")[],
  attempt: (row: number, anchor: "start" | "end") => T | null,
): T | null {
  for (let row = 0; row < rows; row++) {
    for (const side of sides) {
      const spot = attempt(row, side);
      if (spot !== null) return spot;
    }
  }
  return null;
}
