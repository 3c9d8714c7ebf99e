import type { PreparedCoverage } from "../../prepare/fleet/index.ts";
import { COVERAGE_WORDS } from "../../prepare/fleet/index.ts";
import { useStripWidth } from "./strip-width.ts";

export interface CoverageStripProps {
  readonly strip: PreparedCoverage;
}

const LABEL_PX = 118;
const ROW_PX = 11;
const RIGHT_PX = 16;

/** A row a signal, a column a rack or node: grey is seen, hatched is missing. What is healthy is unlit. */
export function CoverageStrip({ strip }: CoverageStripProps) {
  const [ref, widthPx] = useStripWidth();
  const plotPx = Math.max(20, widthPx - LABEL_PX - RIGHT_PX);
  const column = plotPx / Math.max(1, strip.columns.length);
  const gap = column > 3 ? 1 : 0;
  return (
    <div ref={ref} data-part="coverage-strip">
      {widthPx === 0 ? null : (
        <svg width={widthPx} height={strip.rows.length * ROW_PX + 4} role="img" aria-label={strip.summary}>
          <defs>
            <pattern id="coverage-hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line x1="0" x2="0" y1="0" y2="3" stroke="var(--t2)" strokeWidth="1.4" />
            </pattern>
          </defs>
          {strip.rows.map((row, at) => (
            <g key={row.name}>
              <text x={LABEL_PX - 8} y={at * ROW_PX + 9} textAnchor="end" fill="var(--t3)" style={{ fontSize: 10.5 }}>
                {row.title}
              </text>
              {row.pieces.map((piece) => (
                <rect
                  key={piece.from}
                  x={LABEL_PX + piece.from * column}
                  y={at * ROW_PX}
                  width={Math.max(0.5, (piece.to - piece.from) * column - gap)}
                  height={ROW_PX - 2}
                  fill={FILL[piece.state]}
                  stroke={piece.state === "constant-zero" ? "var(--line-2)" : "none"}
                >
                  <title>{`${row.title}, ${piece.title}: ${COVERAGE_WORDS[piece.state]}`}</title>
                </rect>
              ))}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

const FILL = {
  seen: "var(--press)",
  stale: "url(#coverage-hatch)",
  sentinel: "var(--warn)",
  "constant-zero": "var(--bg)",
  missing: "url(#coverage-hatch)",
} as const;
