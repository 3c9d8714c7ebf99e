import type { WeightsView } from "@trainwatch/core";
import { formatFixed } from "../../../format/index.ts";

/** Columns that win a share of the weightings, the largest first; those that win none are left out. */
export function winnersOf(view: WeightsView): readonly { readonly column: number; readonly share: number }[] {
  return view.wins
    .map((share, column) => ({ column, share }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || a.column - b.column);
}

export interface BarPiece {
  readonly column: number;
  readonly xPx: number;
  readonly widthPx: number;
  /** "" where it would not fit. */
  readonly label: string;
}

const LETTER_ROOM_PX = 12;
const SHARE_ROOM_PX = 34;

/** The whole bar cut by share of wins, a pixel between two pieces. */
export function winBar(view: WeightsView, letterOf: (column: number) => string, widthPx: number): readonly BarPiece[] {
  const winners = winnersOf(view);
  const room = widthPx - Math.max(0, winners.length - 1);
  let xPx = 0;
  return winners.map(({ column, share }, index) => {
    const width = share * room;
    const percent = `${formatFixed(share * 100, 0)}${index === 0 ? " %" : ""}`;
    const label = width >= SHARE_ROOM_PX ? `${letterOf(column)} ${percent}` : width >= LETTER_ROOM_PX ? letterOf(column) : "";
    const piece = { column, xPx, widthPx: width, label };
    xPx += width + 1;
    return piece;
  });
}
