import type { ReleaseCell } from "@trainwatch/core";
import { forestMark } from "../../prepare/release/index.ts";

const WIDTH_PX = 52;
const HEIGHT_PX = 16;
const INK = { better: "var(--d-2)", worse: "var(--d2)", tie: "var(--ink-2)" } as const;

/** A difference with its interval against zero. Hollow: a tie of which a loss beyond the margin is not ruled out. */
export function ForestSvg({ cell, span }: { readonly cell: ReleaseCell; readonly span: number }) {
  const mark = forestMark(cell, span, WIDTH_PX);
  if (mark === null) return null;
  const ink = cell.verdict === "better" || cell.verdict === "worse" ? INK[cell.verdict] : INK.tie;
  const isOpen = cell.verdict === "tie" && cell.equivalent === false;
  return (
    <svg width={WIDTH_PX} height={HEIGHT_PX} aria-hidden="true" className="flex-none">
      <path d={`M${mark.zeroPx + 0.5} 1V15`} stroke="var(--line-2)" />
      {mark.lowPx === null || mark.highPx === null ? null : <path d={`M${mark.lowPx} 8H${mark.highPx}`} stroke={ink} strokeWidth="1.5" />}
      <circle cx={mark.pointPx} cy="8" r="2.5" fill={isOpen ? "var(--bg)" : ink} stroke={isOpen ? ink : "none"} />
    </svg>
  );
}
