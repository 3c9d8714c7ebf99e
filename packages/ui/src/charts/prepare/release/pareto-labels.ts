/** A point with its intervals, in pixels of the plot. */
export interface ParetoCross {
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly lowX: number | null;
  readonly highX: number | null;
  readonly lowY: number | null;
  readonly highY: number | null;
  readonly onFront: boolean;
}

export interface ParetoLabel {
  readonly labelX: number;
  /** Baseline of the text. */
  readonly labelY: number;
  /** The text ends at `labelX` and does not begin there. */
  readonly labelEnds: boolean;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const CORNERS = [
  { dx: 8, dy: -6 },
  { dx: 8, dy: 14 },
  { dx: -8, dy: -6 },
  { dx: -8, dy: 14 },
  { dx: 8, dy: -20 },
  { dx: 8, dy: 28 },
  { dx: -8, dy: -20 },
  { dx: -8, dy: 28 },
] as const;
const HEIGHT_PX = 12;
const LETTER_PX = 12;
/** "P, baseline". */
const BASELINE_PX = 68;
const DOT_PX = 5;
/** What a label must not do, by how much it hides. */
const COST = { outside: 100, label: 20, dot: 20, whisker: 3 } as const;

/** A corner for each label, the baseline's long one first: where it hides least of the other marks and labels; of equals the first. */
export function paretoLabels(crosses: readonly ParetoCross[], plot: Box): readonly ParetoLabel[] {
  const placed = new Map<number, { readonly label: ParetoLabel; readonly box: Box }>();
  const order = crosses.map((_, index) => index).toSorted((a, b) => widthOf(crosses[b]) - widthOf(crosses[a]) || a - b);
  for (const index of order) {
    const cross = crosses[index];
    if (cross === undefined) continue;
    const others = crosses.filter((each) => each !== cross);
    const taken = [...placed.values()].map(({ box }) => box);
    const choices = CORNERS.map(({ dx, dy }) => {
      const box = boxAt(cross, dx, dy);
      return { label: { labelX: cross.x + dx, labelY: cross.y + dy, labelEnds: dx < 0 }, box, cost: costOf(box, others, taken, plot) };
    });
    const [first, ...rest] = choices;
    if (first !== undefined)
      placed.set(
        index,
        rest.reduce((best, choice) => (choice.cost < best.cost ? choice : best), first),
      );
  }
  return crosses.map(({ x, y }, index) => placed.get(index)?.label ?? { labelX: x, labelY: y, labelEnds: false });
}

function widthOf(cross: ParetoCross | undefined): number {
  return cross?.column === 0 ? BASELINE_PX : LETTER_PX;
}

function boxAt(cross: ParetoCross, dx: number, dy: number): Box {
  const width = widthOf(cross);
  const left = dx > 0 ? cross.x + dx : cross.x + dx - width;
  return { left, right: left + width, top: cross.y + dy - HEIGHT_PX + 2, bottom: cross.y + dy + 2 };
}

function costOf(box: Box, others: readonly ParetoCross[], taken: readonly Box[], plot: Box): number {
  const isOutside = box.left < plot.left || box.right > plot.right || box.top < plot.top - HEIGHT_PX || box.bottom > plot.bottom;
  const labels = taken.filter((other) => meets(box, other)).length;
  const dots = others.filter(({ x, y }) => meets(box, { left: x - DOT_PX, right: x + DOT_PX, top: y - DOT_PX, bottom: y + DOT_PX })).length;
  const whiskers = others.flatMap(whiskersOf).filter((whisker) => meets(box, whisker)).length;
  return (isOutside ? COST.outside : 0) + COST.label * labels + COST.dot * dots + COST.whisker * whiskers;
}

function whiskersOf({ x, y, lowX, highX, lowY, highY }: ParetoCross): readonly Box[] {
  return [
    ...(lowX === null || highX === null ? [] : [{ left: lowX, right: highX, top: y, bottom: y }]),
    // Pixels run down: the high end of the quality is the upper one.
    ...(lowY === null || highY === null ? [] : [{ left: x, right: x, top: highY, bottom: lowY }]),
  ];
}

function meets(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}
