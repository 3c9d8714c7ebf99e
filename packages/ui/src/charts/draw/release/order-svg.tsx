import type { OrderPicture } from "../../prepare/release/index.ts";

const HEIGHT_PX = 25;
const FIRST_LINE_PX = 18;
const LINE_PX = 2.5;
/** More overlapping groups than the row has room for stand on its last line. */
const LINES = 3;

/** Columns best first; a bar joins those that are not told apart. */
export function OrderSvg({ picture, lit }: { readonly picture: OrderPicture; readonly lit: number | null }) {
  if (picture.letters.length === 0) return null;
  return (
    <svg width={picture.widthPx} height={HEIGHT_PX} aria-hidden="true" className="flex-none">
      {picture.letters.map(({ column, letter, xPx }) => (
        <text
          key={column}
          x={xPx}
          y="15"
          textAnchor="middle"
          fill={column === lit ? "var(--t1)" : "var(--t2)"}
          fontWeight={column === lit ? 600 : 400}
        >
          {letter}
        </text>
      ))}
      {picture.brackets.map(({ fromPx, toPx, line }) => {
        const y = FIRST_LINE_PX + Math.min(line, LINES - 1) * LINE_PX;
        return <path key={`${fromPx} ${toPx}`} d={`M${fromPx} ${y - 1}v2.5H${toPx}v-2.5`} fill="none" stroke="var(--ink-2)" />;
      })}
    </svg>
  );
}
