import { DIMENSION_TITLES, type ReleaseColumn, type WeightsView } from "@trainwatch/core";
import { formatFixed } from "../../../format/index.ts";
import { winBar, winnersOf } from "../../prepare/release/index.ts";
import { useStripWidth } from "../fleet/strip-width.ts";

export interface WeightsChartProps {
  readonly view: WeightsView;
  readonly columns: readonly ReleaseColumn[];
  readonly lit: number | null;
  /** Of these dimensions the strips are drawn. */
  readonly along: WeightsView["along"];
}

const BAR_PX = 16;
const STRIP_PX = 10;

/** Who wins in how many weightings, and along the weight of each dimension who wins where. */
export function WeightsChart({ view, columns, lit, along }: WeightsChartProps) {
  const [ref, widthPx] = useStripWidth();
  const letterOf = (column: number): string => columns[column]?.letter ?? "?";
  const winners = winnersOf(view);
  const label = winners.map(({ column, share }) => `${letterOf(column)} wins ${formatFixed(share * 100, 1)} %`).join(", ");
  const place = new Map(winners.map(({ column }, index) => [column, index]));
  return (
    <div ref={ref} className="flex min-w-0 flex-col gap-1.5 text-label">
      {widthPx === 0 ? null : (
        <svg role="img" aria-label={label} width={widthPx} height={BAR_PX} className="block">
          <title>{label}</title>
          {winBar(view, letterOf, widthPx).map((piece) => {
            const paint = paintOf(piece.column, lit, place.get(piece.column) ?? 0);
            return (
              <g key={piece.column}>
                <rect x={piece.xPx} width={Math.max(1, piece.widthPx)} height={BAR_PX} fill={paint.fill} />
                <text x={piece.xPx + 5} y="12" fill={paint.ink} fontWeight="500">
                  {piece.label}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      {widthPx === 0
        ? null
        : along.map(({ dimension, ranges, text }) => (
            <div key={dimension} className="flex flex-col gap-0.5">
              <span className="text-t2">{text}</span>
              <svg
                role="img"
                aria-label={`Weight of ${DIMENSION_TITLES[dimension].toLowerCase()} from 0 to 1: ${ranges
                  .map(({ from, to, column }) => `${letterOf(column)} from ${formatFixed(from, 2)} to ${formatFixed(to, 2)}`)
                  .join(", ")}`}
                width={widthPx}
                height={STRIP_PX}
                className="block"
              >
                {ranges.map(({ from, to, column }) => {
                  const paint = paintOf(column, lit, place.get(column) ?? 1);
                  const width = Math.max(1, (to - from) * widthPx - 1);
                  return (
                    <g key={from}>
                      <rect x={from * widthPx} width={width} height={STRIP_PX} fill={paint.fill} />
                      {width < 14 ? null : (
                        <text x={from * widthPx + 4} y="9" fill={paint.ink} fontWeight="500">
                          {letterOf(column)}
                        </text>
                      )}
                    </g>
                  );
                })}
              </svg>
            </div>
          ))}
    </div>
  );
}

const PAINTS = [
  { fill: "var(--ink-2)", ink: "var(--bg)" },
  { fill: "var(--line-2)", ink: "var(--t1)" },
  { fill: "var(--press)", ink: "var(--t1)" },
] as const;

/** Only the lit column takes the accent; the others fall off in grey by how often they win. */
function paintOf(column: number, lit: number | null, place: number): { readonly fill: string; readonly ink: string } {
  if (column === lit) return { fill: "var(--accent)", ink: "var(--accent-on)" };
  return PAINTS[Math.min(PAINTS.length - 1, place)] ?? PAINTS[0];
}
