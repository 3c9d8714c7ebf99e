export interface ProgressBarProps {
  /** 0 to 1; beyond is drawn full. */
  readonly share: number | null;
  /** What it measures, for a reader: "48,327 of 240,000 steps". */
  readonly label: string;
  readonly widthPx?: number | undefined;
  readonly tone?: "plain" | "critical" | "warning" | undefined;
}

const FILL = { plain: "var(--ink-2)", critical: "var(--crit)", warning: "var(--warn)" } as const;

/** A bar with its empty track; a share that is not known is an empty track. */
export function ProgressBar({ share, label, widthPx = 72, tone = "plain" }: ProgressBarProps) {
  const filled = Math.min(1, Math.max(0, share ?? 0)) * widthPx;
  return (
    <svg role="img" aria-label={label} width={widthPx} height="4" className="inline-block align-middle">
      <title>{label}</title>
      <rect width={widthPx} height="4" fill="var(--press)" />
      <rect width={filled} height="4" fill={FILL[tone]} />
    </svg>
  );
}
