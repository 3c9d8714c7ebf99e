import { useId, useRef, type PointerEvent } from "react";
import { formatInteger } from "../../format/index.ts";
import { linearTickValues, placeLabels, robustRange, type AttemptStrip } from "../prepare/index.ts";
import type { SeriesWindow } from "@trainwatch/core";
import { ChartText } from "./shapes.tsx";
import type { StackSize } from "./stack-size.ts";
import { useZoomDrag } from "./zoom-drag.ts";

export interface AttemptsStripProps {
  readonly strip: AttemptStrip;
  /** The whole run's loss, as a thin line under the bars; null while it is on its way or where there is none. */
  readonly preview: SeriesWindow | null;
  readonly previewMetric: string;
  /** Steps that the stack below shows. */
  readonly shown: { readonly from: number; readonly to: number } | null;
  readonly size: StackSize;
  /** A range of steps was dragged out. */
  readonly onRange: (from: number, to: number) => void;
}

const HEIGHT_PX = 80;
const BAR = { top: 22, height: 14 } as const;
const STUB = { top: 40, height: 9 } as const;
const LINE = { top: 54, bottom: 76 } as const;

/** Each launch a bar; what was rolled back hangs hatched under its parent, the reason beside it. */
export function AttemptsStrip({ strip, preview, previewMetric, shown, size, onRange }: AttemptsStripProps) {
  const plot = useRef<SVGSVGElement>(null);
  const span = Math.max(1, strip.to - strip.from);
  const x = (step: number): number => ((step - strip.from) / span) * size.plotPx;
  const plotPixel = (event: PointerEvent): number | null => {
    const left = plot.current?.getBoundingClientRect().left;
    if (left === undefined) return null;
    const pixel = event.clientX - left;
    return pixel < 0 || pixel > size.plotPx ? null : pixel;
  };
  const zoom = useZoomDrag({
    plotPx: size.plotPx,
    plotPixel,
    onRange: (from, to) => onRange(strip.from + (from / size.plotPx) * span, strip.from + (to / size.plotPx) * span),
  });
  return (
    <section
      aria-label="Attempts"
      className="grid flex-none border-b border-line"
      style={{ height: HEIGHT_PX, gridTemplateColumns: `${size.labelPx}px minmax(0, 1fr)` }}
    >
      <div className="min-w-0 overflow-hidden pt-2.5 pl-4 whitespace-nowrap max-desk:pl-3">
        <h2 className="text-note font-semibold">Attempts</h2>
        <p className="mt-0.5 overflow-hidden text-label text-ellipsis text-t3" title={strip.counts}>
          {strip.counts}
        </p>
        {strip.lost === null ? null : (
          <p className="overflow-hidden text-label text-ellipsis text-t3" title={strip.lost}>
            {strip.lost}
          </p>
        )}
      </div>
      <div
        className="relative cursor-crosshair touch-pan-y select-none"
        onPointerDown={zoom.onPointerDown}
        onPointerMove={(event) => void zoom.onPointerMove(event)}
        onPointerUp={zoom.onPointerUp}
        onPointerCancel={zoom.cancel}
      >
        <svg ref={plot} width={size.plotPx} height={HEIGHT_PX} className="overflow-visible">
          <Bars strip={strip} x={x} widthPx={size.plotPx} />
          <PreviewLine preview={preview} metric={previewMetric} x={x} />
          {shown === null ? null : <Shown from={x(Math.max(strip.from, shown.from))} to={x(Math.min(strip.to, shown.to))} />}
          {zoom.drag === null ? null : (
            <rect x={zoom.drag.fromPx} y="4" width={zoom.drag.toPx - zoom.drag.fromPx} height="72" fill="var(--accent)" opacity=".15" />
          )}
        </svg>
      </div>
    </section>
  );
}

function Bars({ strip, x, widthPx }: { readonly strip: AttemptStrip; readonly x: (step: number) => number; readonly widthPx: number }) {
  const hatch = useId();
  const stubs = strip.bars.flatMap((bar) => (bar.stub === null ? [] : [{ ...bar.stub, name: bar.name }]));
  const labels = placeLabels(
    stubs.map((stub) => ({
      xPx: Math.max(x(stub.to), x(stub.from) + 3),
      fromPx: x(stub.from),
      text: stub.text,
      weight: stub.to - stub.from,
    })),
    { widthPx, rows: 1, prefer: "start", offsetPx: 6 },
  );
  return (
    <g>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" x2="0" y1="0" y2="4" stroke="var(--hatch)" strokeWidth="1.5" />
        </pattern>
      </defs>
      {linearTickValues(strip.from, strip.to, Math.max(1, Math.floor(widthPx / 160))).map((step, index) => (
        <text
          key={step}
          x={x(step)}
          y="15"
          textAnchor={index === 0 && x(step) < 12 ? "start" : x(step) > widthPx - 24 ? "end" : "middle"}
          fill="var(--t3)"
        >
          {formatInteger(step)}
        </text>
      ))}
      {strip.bars.map((bar, index) => {
        const from = x(bar.from) + (index === 0 ? 0 : 1);
        const width = Math.max(1, x(bar.to) - from);
        return (
          <g key={bar.name} data-attempt={bar.name}>
            <title>{bar.title}</title>
            <rect x={from} y={BAR.top} width={width} height={BAR.height} fill={bar.newest ? "var(--ink-2)" : "var(--line-2)"} />
            {width < 8 + bar.name.length * 7 ? null : (
              <text x={from + 6} y={BAR.top + 11} fontWeight="500" fill={bar.newest ? "var(--bg)" : "var(--t1)"}>
                {bar.name}
              </text>
            )}
            {bar.stub === null ? null : (
              <g>
                <path
                  d={`M${x(bar.stub.from) + 0.5} ${BAR.top + BAR.height}V${STUB.top + 4.5}H${Math.max(x(bar.stub.to), x(bar.stub.from) + 3)}`}
                  fill="none"
                  stroke="var(--hatch)"
                />
                <rect
                  x={x(bar.stub.from) + 1}
                  y={STUB.top}
                  width={Math.max(2, x(bar.stub.to) - x(bar.stub.from))}
                  height={STUB.height}
                  fill={`url(#${hatch})`}
                  stroke="var(--hatch)"
                  strokeWidth=".75"
                />
              </g>
            )}
          </g>
        );
      })}
      {labels.map((label) => (
        <ChartText key={label.index} x={label.xPx} y={STUB.top + 8} anchor={label.anchor} fill="var(--t3)">
          {stubs[label.index]?.text ?? ""}
        </ChartText>
      ))}
    </g>
  );
}

function PreviewLine({
  preview,
  metric,
  x,
}: {
  readonly preview: SeriesWindow | null;
  readonly metric: string;
  readonly x: (step: number) => number;
}) {
  const lines = preview?.lines.filter((line) => line.metric === metric && !line.superseded) ?? [];
  const range = robustRange({ values: lines.flatMap((line) => line.mean.filter((value) => value !== null)), newest: [], mode: "robust" });
  if (range === null) return null;
  const y = (value: number): number =>
    LINE.bottom - ((Math.min(Math.max(value, range.low), range.high) - range.low) / (range.high - range.low)) * (LINE.bottom - LINE.top);
  return lines.map((line) => {
    let pen = "M";
    let path = "";
    line.mean.forEach((value, index) => {
      if (value === null) {
        pen = "M";
        return;
      }
      path += `${pen}${x(line.stepFirst[index] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
    });
    return <path key={`${line.attempt}-${line.stepFirst[0]}-${JSON.stringify(line.labels)}`} d={path} fill="none" stroke="var(--ink-2)" />;
  });
}

/** The part that the stack below shows. */
function Shown({ from, to }: { readonly from: number; readonly to: number }) {
  const width = Math.max(2, to - from);
  return (
    <g pointerEvents="none">
      <rect x={from} y="4" width={width} height="72" fill="var(--accent)" opacity=".09" />
      {[from, from + width].map((edge) => (
        <g key={edge}>
          <line x1={edge} x2={edge} y1="4" y2="76" stroke="var(--accent)" />
          <rect x={edge - 2} y="30" width="4" height="20" fill="var(--accent)" />
        </g>
      ))}
      {width < 90 ? null : (
        <ChartText x={from + 6} y={15}>
          shown below
        </ChartText>
      )}
    </g>
  );
}
