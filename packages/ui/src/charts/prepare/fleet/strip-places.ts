/** Where the cells of the strip stand, in CSS pixels. */
export interface StripPlaces {
  readonly widthPx: number;
  readonly heightPx: number;
  /** From a cell to the next one. */
  readonly pitchX: number;
  readonly pitchY: number;
  /** Nodes one above the other in each group. */
  readonly rows: number;
  /** Of each group: where it begins, its columns, and how far its label may reach. */
  readonly slots: readonly { readonly x: number; readonly columns: number; readonly slotPx: number }[];
  /** Group and place within it under a point; null between the cells. */
  readonly at: (x: number, y: number) => { readonly group: number; readonly place: number } | null;
}

const GAP_PX = 8;
const LEAST_PITCH_PX = 0.5;
const MAX_PITCH = { x: 24, y: 14 } as const;
/** Width of a cell over its height where there is a choice. */
const ASPECT = 1.8;
/** A label shorter than this says nothing. */
export const LEAST_SLOT_PX = 44;

export interface StripRoom {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Chooses how many nodes stand one above the other so that the cells fill the room without being stretched. @param sizes nodes of each group */
export function placeStrip(sizes: readonly number[], room: StripRoom): StripPlaces {
  let best = measured(sizes, 1, room);
  for (let rows = 2; rows <= Math.max(1, ...sizes); rows++) {
    if (room.heightPx / rows < 1) break;
    const next = measured(sizes, rows, room);
    if (worth(next) > worth(best) + 1e-9) best = next;
  }
  return best;
}

/** Cells as large as may be, and neither flat nor tall. */
function worth({ pitchX, pitchY }: StripPlaces): number {
  return Math.min(pitchX / ASPECT, pitchY);
}

function measured(sizes: readonly number[], rows: number, { widthPx, heightPx }: StripRoom): StripPlaces {
  const columns = sizes.map((size) => Math.ceil(size / rows));
  const pitchX = widestPitch(columns, widthPx - GAP_PX * Math.max(0, sizes.length - 1));
  const pitchY = Math.min(MAX_PITCH.y, heightPx / rows);
  let x = 0;
  const slots = columns.map((count) => {
    const slotPx = slotOf(count, pitchX);
    const slot = { x, columns: count, slotPx };
    x += slotPx + GAP_PX;
    return slot;
  });
  const at: StripPlaces["at"] = (px, py) => {
    const row = Math.floor(py / pitchY);
    const group = slots.findLastIndex((slot) => slot.x <= px);
    const slot = slots[group];
    if (slot === undefined || row < 0 || row >= rows) return null;
    const column = Math.floor((px - slot.x) / pitchX);
    // Down each column first: the nodes of a rack follow one another by name and stay together.
    const place = column * rows + row;
    return column < slot.columns && place < (sizes[group] ?? 0) ? { group, place } : null;
  };
  return { widthPx, heightPx: rows * pitchY, pitchX, pitchY, rows, slots, at };
}

function slotOf(columns: number, pitchX: number): number {
  return Math.max(LEAST_SLOT_PX, columns * pitchX);
}

/** The widest cells whose groups, each at least as wide as its label, fit beside one another. */
function widestPitch(columns: readonly number[], widthPx: number): number {
  const isFitting = (pitchX: number): boolean => columns.reduce((sum, count) => sum + slotOf(count, pitchX), 0) <= widthPx;
  if (isFitting(MAX_PITCH.x)) return MAX_PITCH.x;
  let low = LEAST_PITCH_PX;
  let high: number = MAX_PITCH.x;
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2;
    if (isFitting(middle)) low = middle;
    else high = middle;
  }
  return low;
}
