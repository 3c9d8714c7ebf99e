import type { Severity } from "@trainwatch/core";

/** What a mark can say. `refused` is a crossed-out choice, `failed` a criterion that does not hold, `pending` something that has not begun. */
export type Mark = Severity | "ok" | "unknown" | "refused" | "failed" | "pending";

export const MARK_WORDS = {
  critical: "Critical",
  warning: "Warning",
  info: "Info",
  ok: "OK",
  unknown: "Unknown",
  refused: "Refused",
  failed: "Failed",
  pending: "Not started",
} satisfies Record<Mark, string>;

export interface SeverityShapeProps {
  readonly mark: Mark;
  /** Edge in pixels; 11 in text, 8 in the status line. */
  readonly size?: number | undefined;
  /** Spoken name where no word stands beside the shape; without it the shape is decoration. */
  readonly label?: string | undefined;
}

/** The shape of a severity, drawn as SVG so that it survives fonts, forced colours and print. */
export function SeverityShape({ mark, size = 11, label }: SeverityShapeProps) {
  const naming = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className="inline-block flex-none" width={size} height={size} viewBox="0 0 11 11" data-mark={mark} {...naming}>
      {SHAPES[mark]}
    </svg>
  );
}

const SHAPES = {
  critical: <path d="M5.5.7 10.3 5.5 5.5 10.3.7 5.5Z" fill="var(--crit)" stroke="var(--crit-ink)" />,
  warning: <path d="M5.5 1 10.4 10H.6Z" fill="var(--warn)" stroke="var(--warn-ink)" strokeLinejoin="round" />,
  info: <circle cx="5.5" cy="5.5" r="4.4" fill="var(--info)" stroke="var(--info-ink)" />,
  ok: <path d="M.9 6 4 9 10.1 2.2" fill="none" stroke="var(--ok)" strokeWidth="1.8" />,
  unknown: (
    <g stroke="var(--unk)">
      <rect x=".5" y=".5" width="10" height="10" fill="none" />
      <path d="M.5 4.5 4.5.5M.5 8.5 8.5.5M2.5 10.5 10.5 2.5M6.5 10.5 10.5 6.5" />
    </g>
  ),
  refused: <path d="M1.5 1.5 9.5 9.5M9.5 1.5 1.5 9.5" fill="none" stroke="var(--unk)" strokeWidth="1.8" />,
  failed: <path d="M1.5 1.5 9.5 9.5M9.5 1.5 1.5 9.5" fill="none" stroke="var(--crit-ink)" strokeWidth="1.8" />,
  pending: <circle cx="5.5" cy="5.5" r="4.6" fill="none" stroke="var(--t3)" strokeWidth="1.4" />,
} satisfies Record<Mark, React.ReactNode>;
