import { useId, type MouseEvent } from "react";
import { formatInteger } from "../../format/index.ts";
import { placeLabels, textWidthPx, type Lineage, type LineageStub } from "../prepare/index.ts";
import { useStripWidth } from "./fleet/strip-width.ts";
import { ChartShape, ChartText } from "./shapes.tsx";

export interface LineageBarProps {
  readonly lineage: Lineage;
  /** Address of an incident, so that its mark can be opened like any link. */
  readonly eventHref: (incidentId: number) => string;
  readonly onEvent: (incidentId: number) => void;
}

const GUTTER_PX = 16;
const EVENT_ROW_PX = 16;
const EVENT_ROWS = 2;
const BAR_PX = 16;
const NARROW_PX = 720;
const STUB = { below: 4, height: 10, row: 16 } as const;
/** A part of a few steps among thousands is still there. */
const LEAST_PX = 3;

/** Attempts end to end as the weights have seen them, what happened above, what was rolled back hatched below. */
export function LineageBar(props: LineageBarProps) {
  const [ref, widthPx] = useStripWidth();
  return (
    <div ref={ref} data-part="lineage" className="min-h-[60px]">
      {widthPx === 0 ? null : <Bar {...props} widthPx={widthPx} />}
    </div>
  );
}

function Bar({ lineage, eventHref, onEvent, widthPx }: LineageBarProps & { readonly widthPx: number }) {
  const plotPx = Math.max(64, widthPx - GUTTER_PX * 2);
  const x = (step: number): number => Math.min(1, Math.max(0, (step - lineage.from) / (lineage.to - lineage.from))) * plotPx;
  // With little room the words of the checkpoint stand below, so that no mark of an incident hides behind them.
  const narrow = widthPx < NARROW_PX;
  const labels = placeLabels(
    lineage.events.map((event) => ({ xPx: x(event.step), text: event.text, weight: WEIGHT[event.severity] })),
    { widthPx: narrow ? plotPx : plotPx - textWidthPx(HERE) - 12, rows: EVENT_ROWS, prefer: "start", offsetPx: 8, obstaclesPx: [] },
  );
  const rows = Math.max(1, ...labels.map(({ row }) => row + 1));
  const top = rows * EVENT_ROW_PX + 7;
  const stubs = stubRows(lineage.stubs, x, plotPx);
  const heightPx = top + BAR_PX + Math.max(0, ...stubs.map(({ row }) => row + 1)) * STUB.row + (narrow && stubs.length === 0 ? 22 : 6);
  return (
    <figure className="m-0" aria-label="What these weights have seen">
      <figcaption className="sr-only">{lineage.summary}</figcaption>
      <svg width={widthPx} height={heightPx} className="block overflow-visible">
        <g transform={`translate(${GUTTER_PX} 0)`}>
          <Parts lineage={lineage} x={x} top={top} />
          <Stubs stubs={stubs} top={top + BAR_PX} />
          {lineage.events.map((event, index) => {
            const label = labels.find((placed) => placed.index === index);
            const y = 12 + (rows - 1 - (label?.row ?? 0)) * EVENT_ROW_PX;
            return (
              <a
                key={event.incidentId}
                href={eventHref(event.incidentId)}
                onClick={(press) => open(press, () => onEvent(event.incidentId))}
                data-event={event.incidentId}
              >
                <title>{`Step ${formatInteger(event.step)}: ${event.title}`}</title>
                <ChartShape x={x(event.step)} y={y} radius={4} severity={event.severity} />
                {label === undefined ? null : (
                  <ChartText x={label.xPx} y={y + 4} anchor={label.anchor}>
                    {event.text}
                  </ChartText>
                )}
              </a>
            );
          })}
          <rect x={plotPx - 3} y={top - 4} width="3" height={BAR_PX + 8} fill="var(--accent)" />
          <ChartText x={plotPx} y={narrow ? top + BAR_PX + 16 : top - 8} anchor="end" fill="var(--accent)" weight={500}>
            {HERE}
          </ChartText>
        </g>
      </svg>
    </figure>
  );
}

const HERE = "this checkpoint";
const WEIGHT = { critical: 3, warning: 2, info: 1 } as const;

/** The router opens it; a press with a key held, or of another button, is the browser's. */
function open(press: MouseEvent, go: () => void): void {
  if (press.defaultPrevented || press.button !== 0 || press.metaKey || press.ctrlKey || press.shiftKey || press.altKey) return;
  press.preventDefault();
  go();
}

interface PartsProps {
  readonly lineage: Lineage;
  readonly x: (step: number) => number;
  readonly top: number;
}

function Parts({ lineage, x, top }: PartsProps) {
  const hatch = useId();
  return (
    <g>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" x2="0" y1="0" y2="4" stroke="var(--t2)" strokeWidth="1.5" />
        </pattern>
      </defs>
      {lineage.parts.map((part, index) => {
        const from = x(part.from) + (index === 0 ? 0 : 2);
        const width = Math.max(LEAST_PX, x(part.to) - from);
        const named = width >= textWidthPx(part.name) + 12;
        const counted = width >= textWidthPx(part.name) + textWidthPx(part.text) + 28;
        const ink = part.newest ? "var(--bg)" : "var(--t1)";
        return (
          <g key={part.name} data-attempt={part.name}>
            <title>{part.title}</title>
            <rect x={from} y={top} width={width} height={BAR_PX} fill={part.newest ? "var(--ink-2)" : "var(--line-2)"} />
            {named ? (
              <text x={from + 6} y={top + 12} fontWeight="500" fill={ink}>
                {part.name}
              </text>
            ) : null}
            {counted ? (
              <text x={from + width - 8} y={top + 12} textAnchor="end" fill={part.newest ? "var(--bg)" : "var(--t1)"}>
                {part.text}
              </text>
            ) : null}
          </g>
        );
      })}
      {lineage.skipped.map((range) => {
        const place = { x: x(range.from), y: top, width: Math.max(2, x(range.to) - x(range.from)), height: BAR_PX };
        return (
          <g key={range.from} data-skipped={range.from}>
            <title>{range.title}</title>
            <rect {...place} fill="var(--bg)" />
            <rect {...place} fill={`url(#${hatch})`} />
          </g>
        );
      })}
    </g>
  );
}

interface PlacedStub extends LineageStub {
  readonly row: number;
  readonly fromPx: number;
  readonly widthPx: number;
  readonly label: { readonly xPx: number; readonly anchor: "start" | "end" } | null;
}

/** Stubs with their words, as many rows as they need so that no text covers another. */
function stubRows(stubs: readonly LineageStub[], x: (step: number) => number, plotPx: number): readonly PlacedStub[] {
  const extent = (stub: LineageStub) => {
    const fromPx = Math.min(x(stub.from), plotPx - 8);
    return { fromPx, widthPx: Math.max(8, x(stub.to) - fromPx) };
  };
  const labels = placeLabels(
    stubs.map((stub) => {
      const { fromPx, widthPx } = extent(stub);
      return { xPx: fromPx + widthPx, fromPx, text: stub.text, weight: stub.to - stub.from };
    }),
    { widthPx: plotPx, rows: Math.max(1, Math.min(3, stubs.length)), prefer: "start", offsetPx: 7 },
  );
  return stubs.map((stub, index): PlacedStub => {
    const label = labels.find((placed) => placed.index === index);
    return { ...stub, ...extent(stub), row: label?.row ?? 0, label: label ?? null };
  });
}

function Stubs({ stubs, top }: { readonly stubs: readonly PlacedStub[]; readonly top: number }) {
  const hatch = useId();
  return (
    <g>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" x2="0" y1="0" y2="4" stroke="var(--hatch)" strokeWidth="1.5" />
        </pattern>
      </defs>
      {stubs.map((stub) => {
        const y = top + STUB.below + stub.row * STUB.row;
        return (
          <g key={`${stub.from}-${stub.to}-${stub.title}`} data-rolled-back={stub.from}>
            <title>{stub.title}</title>
            <path d={`M${stub.fromPx + 0.5} ${top}V${y + 5.5}`} stroke="var(--hatch)" fill="none" />
            <rect
              x={stub.fromPx + 0.5}
              y={y + 0.5}
              width={stub.widthPx}
              height={STUB.height}
              fill={`url(#${hatch})`}
              stroke="var(--hatch)"
              strokeWidth=".75"
            />
            {stub.label === null ? null : (
              <ChartText x={stub.label.xPx} y={y + 9} anchor={stub.label.anchor}>
                {stub.text}
              </ChartText>
            )}
          </g>
        );
      })}
    </g>
  );
}
