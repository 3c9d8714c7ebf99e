import { textWidthPx } from "../labels.ts";
import { CELL_ASPECT, type FleetGroup, type FleetGroups } from "./groups.ts";

/** A word of the map's rim or above a group. */
export interface MapLabel {
  readonly text: string;
  readonly x: number;
  /** Middle of the line. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly tone: "label" | "title";
}

export interface GroupBox {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Place in the grid of groups. */
  readonly row: number;
  readonly column: number;
  readonly cells: number;
}

/** Where each GPU's cell stands, in CSS pixels of the map. */
export interface MapPlaces {
  readonly widthPx: number;
  readonly heightPx: number;
  /** From a cell to the next one; the cell itself is a pixel less. */
  readonly pitchX: number;
  readonly pitchY: number;
  /** Left and upper edge of each GPU's cell; NaN where the grouping leaves it out. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Index of each GPU's group in `boxes`. */
  readonly group: Int32Array;
  readonly boxes: readonly GroupBox[];
  readonly labels: readonly MapLabel[];
  /** The GPU whose cell holds a point, -1 between them. Takes the same few steps for any number of cells. */
  readonly at: (x: number, y: number) => number;
  /** The next cell in a direction, over the gap between groups; -1 at the rim. */
  readonly next: (gpu: number, dx: -1 | 0 | 1, dy: -1 | 0 | 1) => number;
}

const MAX_PITCH = { x: 44, y: 26 } as const;
const MIN_PITCH = { x: 3, y: 3 } as const;
const GAP = { rack: { x: 9, y: 7 }, node: { x: 12, y: 0 }, stage: { x: 14, y: 8 } } as const;
const MAX_WIDENING = { x: 12, y: 8 } as const;
const TITLE_PX = 16;
const RIM = { left: 24, top: 18 } as const;
/** From this pitch on a row has room for its host's name. */
const ROW_TITLE_PITCH = 13;

interface Grid {
  readonly columns: number;
  /** Groups of each line of the grid. */
  readonly lines: readonly (readonly { readonly group: number; readonly column: number }[])[];
}

export interface MapRoom {
  readonly widthPx: number;
  /** What the map may fill without a scroll; it grows beyond where cells would get too small to tell apart. */
  readonly heightPx: number;
}

/** Chooses how many groups stand on a line so that the cells are as large as the room allows, and places every cell. */
export function placeFleet(layout: FleetGroups, gpus: number, room: MapRoom): MapPlaces {
  const rowTitles = rowTitleWidth(layout);
  const candidates = layout.matrix === null ? lineCounts(layout.groups.length) : [layout.matrix.columns.length];
  let best: Measures | null = null;
  for (const columns of candidates) {
    for (const titlePx of rowTitles === 0 ? [0] : [rowTitles, 0]) {
      const measures = measure(layout, gridOf(layout, columns), room, titlePx);
      if (titlePx > 0 && measures.pitchY < ROW_TITLE_PITCH) continue;
      if (best === null || worth(measures) > worth(best) + 1e-6) best = measures;
      break;
    }
  }
  return placed(layout, gpus, best ?? measure(layout, gridOf(layout, 1), room, 0));
}

/** 1, 2, 3 … some counts in between are left out where there are very many groups: the best one is flat there. */
function lineCounts(groups: number): readonly number[] {
  const counts: number[] = [];
  for (let count = 1; count <= Math.max(1, groups); count = Math.max(count + 1, Math.floor(count * 1.06))) counts.push(count);
  return counts;
}

function gridOf({ groups, matrix, grouping }: FleetGroups, columns: number): Grid {
  const lines: { group: number; column: number }[][] = [];
  if (grouping === "node") {
    // Down each column first: the nodes of a rack follow one another by name and stay together.
    const rows = Math.max(1, Math.ceil(groups.length / columns));
    groups.forEach((_, group) => (lines[group % rows] ??= []).push({ group, column: Math.floor(group / rows) }));
    return { columns: Math.max(1, Math.ceil(groups.length / rows)), lines };
  }
  const unplaced: number[] = [];
  groups.forEach((group, index) => {
    if (matrix !== null && group.place !== null) (lines[group.place.row] ??= []).push({ group: index, column: group.place.column });
    else unplaced.push(index);
  });
  const below = matrix === null ? 0 : matrix.rows.length;
  unplaced.forEach((group, at) => (lines[below + Math.floor(at / columns)] ??= []).push({ group, column: at % columns }));
  return { columns, lines: Array.from(lines, (line) => line ?? []) };
}

interface Measures {
  readonly grid: Grid;
  readonly room: MapRoom;
  readonly pitchX: number;
  readonly pitchY: number;
  readonly rowTitlePx: number;
  readonly titlePx: number;
  readonly left: number;
  readonly top: number;
  readonly gap: { readonly x: number; readonly y: number };
}

function measure(layout: FleetGroups, grid: Grid, room: MapRoom, rowTitlePx: number): Measures {
  const gap = GAP[layout.grouping];
  const named = layout.matrix === null && layout.grouping !== "node";
  const titlePx = named || (layout.matrix !== null && layout.groups.some((group) => group.place === null)) ? TITLE_PX : 0;
  const left = layout.matrix === null ? 0 : RIM.left;
  const columnTitles = layout.grouping === "node" && rowTitlePx === 0;
  const top = layout.matrix !== null || columnTitles ? RIM.top : 4;
  const rows = grid.lines.reduce((sum, line) => sum + Math.max(1, ...line.map(({ group }) => layout.groups[group]?.rows.length ?? 1)), 0);
  const across = (room.widthPx - left) / grid.columns - gap.x - rowTitlePx;
  const down = room.heightPx - top - grid.lines.length * ((layout.matrix === null ? titlePx : 0) + gap.y);
  const fitX = Math.min(MAX_PITCH.x, across / layout.columns);
  const fitY = Math.min(MAX_PITCH.y, down / Math.max(1, rows));
  return {
    grid,
    room,
    // Whole pixels keep the seams between cells even; below six a fraction matters more than an even seam.
    ...pitches(fitX, fitY),
    rowTitlePx,
    titlePx,
    left,
    top,
    gap: widened(layout, gap, {
      across: across - layout.columns * pitches(fitX, fitY).pitchX,
      down: (down - rows * pitches(fitX, fitY).pitchY) / grid.lines.length,
    }),
  };
}

function pitches(fitX: number, fitY: number): { readonly pitchX: number; readonly pitchY: number } {
  return {
    pitchX: Math.max(MIN_PITCH.x, fitX >= 6 ? Math.floor(fitX) : fitX),
    pitchY: Math.max(MIN_PITCH.y, fitY >= 6 ? Math.floor(fitY) : Math.floor(fitY * 4) / 4),
  };
}

/** What whole pixels leave over goes between the groups, so that the map fills its column as far as that does not tear it apart. */
function widened(
  { grouping }: FleetGroups,
  gap: { readonly x: number; readonly y: number },
  left: { readonly across: number; readonly down: number },
): { readonly x: number; readonly y: number } {
  if (grouping === "node") return gap;
  return {
    x: gap.x + Math.floor(Math.min(MAX_WIDENING.x, Math.max(0, left.across))),
    y: gap.y + Math.floor(Math.min(MAX_WIDENING.y, Math.max(0, left.down))),
  };
}

/** Cells should be large, and neither stretched flat nor tall. */
function worth({ pitchX, pitchY }: Measures): number {
  return Math.min(pitchX * CELL_ASPECT, pitchY) + 0.05 * Math.min(pitchX, pitchY / CELL_ASPECT);
}

function rowTitleWidth({ groups, grouping }: FleetGroups): number {
  if (grouping === "stage") return 0;
  let longest = "";
  for (const { rows } of groups) for (const { title } of rows) if (title.length > longest.length) longest = title;
  return Math.min(160, Math.ceil(textWidthPx(longest)) + 10);
}

function placed(layout: FleetGroups, gpus: number, m: Measures): MapPlaces {
  const { grid, pitchX, pitchY, rowTitlePx, gap, left } = m;
  const boxWidth = layout.columns * pitchX - 1;
  const slotWidth = boxWidth + gap.x + rowTitlePx;
  const x = new Float32Array(gpus).fill(Number.NaN);
  const y = new Float32Array(gpus).fill(Number.NaN);
  const groupOf = new Int32Array(gpus).fill(-1);
  const boxes: GroupBox[] = [];
  const labels: MapLabel[] = [];
  const lineTops: number[] = [];
  let lineTop = m.top;
  grid.lines.forEach((line, lineIndex) => {
    lineTops.push(lineTop);
    const titlePx = layout.matrix !== null && lineIndex < layout.matrix.rows.length ? 0 : m.titlePx;
    const rowsTop = lineTop + titlePx;
    let lines = 1;
    for (const { group: index, column } of line) {
      const group = layout.groups[index];
      if (group === undefined) continue;
      lines = Math.max(lines, group.rows.length);
      const boxX = left + column * slotWidth + rowTitlePx;
      const box = placeGroup(group, {
        x: boxX,
        y: rowsTop,
        pitchX,
        pitchY,
        place: (gpu, cellX, cellY) => {
          x[gpu] = cellX;
          y[gpu] = cellY;
          groupOf[gpu] = boxes.length;
        },
      });
      boxes.push({
        title: group.title,
        x: boxX,
        y: rowsTop,
        widthPx: boxWidth,
        heightPx: group.rows.length * pitchY - 1,
        row: lineIndex,
        column,
        cells: box,
      });
      if (titlePx > 0) labels.push({ text: group.title, x: boxX, y: lineTop + titlePx / 2, anchor: "start", tone: "label" });
      if (rowTitlePx > 0) labels.push(...rowLabels(group, boxX - 6, rowsTop, pitchY));
    }
    lineTop = rowsTop + lines * pitchY + gap.y;
  });
  if (layout.grouping === "node" && rowTitlePx === 0) labels.push(...columnHeads(boxes, slotWidth - gap.x));
  if (layout.matrix !== null) labels.push(...rimLabels(layout.matrix, m, lineTops, slotWidth, boxWidth, boxes));
  const heightPx = Math.max(lineTop - gap.y, 8);
  const widthPx = Math.max(m.room.widthPx, left + grid.columns * slotWidth);
  const at = hitTest({ layout, m, lineTops, slotWidth, boxWidth });
  const next: MapPlaces["next"] = (gpu, dx, dy) => {
    let px = (x[gpu] ?? Number.NaN) + pitchX / 2;
    let py = (y[gpu] ?? Number.NaN) + pitchY / 2;
    if (Number.isNaN(px)) return -1;
    while (px >= 0 && py >= 0 && px <= widthPx && py <= heightPx) {
      px += (dx * pitchX) / 2;
      py += (dy * pitchY) / 2;
      const found = at(px, py);
      if (found >= 0 && found !== gpu) return found;
      if (dx === 0 && dy === 0) return -1;
    }
    return -1;
  };
  return { widthPx, heightPx, pitchX, pitchY, x, y, group: groupOf, boxes, labels, at, next };
}

interface GroupCorner {
  readonly x: number;
  readonly y: number;
  readonly pitchX: number;
  readonly pitchY: number;
  readonly place: (gpu: number, x: number, y: number) => void;
}

function placeGroup(group: FleetGroup, corner: GroupCorner): number {
  let cells = 0;
  group.rows.forEach((row, rowIndex) =>
    row.cells.forEach((gpu, column) => {
      if (gpu < 0) return;
      corner.place(gpu, corner.x + column * corner.pitchX, corner.y + rowIndex * corner.pitchY);
      cells++;
    }),
  );
  return cells;
}

function rowLabels(group: FleetGroup, x: number, top: number, pitchY: number): readonly MapLabel[] {
  return group.rows.flatMap((row, index) =>
    row.title === "" ? [] : [{ text: row.title, x, y: top + (index + 0.5) * pitchY, anchor: "end", tone: "label" } as const],
  );
}

/** The first host of each column, where rows are too low for names of their own; left out where a column is narrower than the name. */
function columnHeads(boxes: readonly GroupBox[], widthPx: number): readonly MapLabel[] {
  return boxes.flatMap((box) =>
    box.row === 0 && textWidthPx(box.title) <= widthPx + 8
      ? [{ text: box.title, x: box.x, y: 8, anchor: "start", tone: "label" } as const]
      : [],
  );
}

function rimLabels(
  matrix: { readonly rows: readonly string[]; readonly columns: readonly string[] },
  m: Measures,
  lineTops: readonly number[],
  slotWidth: number,
  boxWidth: number,
  boxes: readonly GroupBox[],
): readonly MapLabel[] {
  const across = matrix.columns.map((text, column): MapLabel => ({
    text,
    x: m.left + column * slotWidth + m.rowTitlePx + boxWidth / 2,
    y: 8,
    anchor: "middle",
    tone: "label",
  }));
  const down = matrix.rows.map((text, row): MapLabel => {
    const height = Math.max(0, ...boxes.filter((box) => box.row === row).map((box) => box.heightPx));
    return { text, x: 2, y: (lineTops[row] ?? 0) + height / 2, anchor: "start", tone: "title" };
  });
  return [...across, ...down];
}

interface HitInput {
  readonly layout: FleetGroups;
  readonly m: Measures;
  readonly lineTops: readonly number[];
  readonly slotWidth: number;
  readonly boxWidth: number;
}

function hitTest({ layout, m, lineTops, slotWidth, boxWidth }: HitInput): MapPlaces["at"] {
  const byColumn = m.grid.lines.map((line) => new Map(line.map(({ group, column }) => [column, group])));
  return (px, py) => {
    const line = lastAtOrBelow(lineTops, py);
    const column = Math.floor((px - m.left) / slotWidth);
    const group = layout.groups[byColumn[line]?.get(column) ?? -1];
    if (group === undefined) return -1;
    const titlePx = layout.matrix !== null && line < layout.matrix.rows.length ? 0 : m.titlePx;
    const inX = px - m.left - column * slotWidth - m.rowTitlePx;
    const inY = py - (lineTops[line] ?? 0) - titlePx;
    if (inX < 0 || inY < 0 || inX > boxWidth) return -1;
    return group.rows[Math.floor(inY / m.pitchY)]?.cells[Math.floor(inX / m.pitchX)] ?? -1;
  };
}

/** Index of the last of ascending values that is at or below `value`; -1 where none is. */
function lastAtOrBelow(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
