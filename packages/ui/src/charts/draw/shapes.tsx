import type { Severity } from "@trainwatch/core";

export interface ShapeProps {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Null where no detector spoke: the neutral shape of something off scale. */
  readonly severity: Severity | null;
}

const FILL = { critical: "var(--crit)", warning: "var(--warn)", info: "var(--info)" } satisfies Record<Severity, string>;
export const SEVERITY_INK = { critical: "var(--crit-ink)", warning: "var(--warn-ink)", info: "var(--info-ink)" } satisfies Record<
  Severity,
  string
>;

const PATH = {
  critical: (x: number, y: number, r: number) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`,
  warning: (x: number, y: number, r: number) => `M${x} ${y - r}L${x + r} ${y + r * 0.8}L${x - r} ${y + r * 0.8}Z`,
  info: (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
} satisfies Record<Severity, (x: number, y: number, r: number) => string>;

/** The shape of a severity inside a chart: ink under, fill above, so that it holds on white. */
export function ChartShape({ x, y, radius, severity }: ShapeProps) {
  if (severity === null)
    return (
      <path
        d={`M${x} ${y - radius}L${x + radius} ${y + radius * 0.8}L${x - radius} ${y + radius * 0.8}Z`}
        fill="var(--bg)"
        stroke="var(--ink-2)"
      />
    );
  return <path d={PATH[severity](x, y, radius)} fill={FILL[severity]} stroke={SEVERITY_INK[severity]} />;
}

export interface ChartTextProps {
  readonly x: number;
  readonly y: number;
  readonly children: string;
  readonly anchor?: "start" | "middle" | "end" | undefined;
  readonly fill?: string | undefined;
  readonly weight?: 500 | 600 | undefined;
}

/** A direct label: the page colour around its letters keeps it legible over a line. */
export function ChartText({ x, y, children, anchor = "start", fill = "var(--t2)", weight }: ChartTextProps) {
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      fill={fill}
      stroke="var(--bg)"
      strokeWidth="3"
      strokeLinejoin="round"
      paintOrder="stroke"
      fontWeight={weight}
    >
      {children}
    </text>
  );
}
