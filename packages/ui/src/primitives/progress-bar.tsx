export interface ProgressBarProps {
  /** 0 to 1; beyond is drawn full. */
  readonly share: number | null;
  /** What it measures, for a reader: "48,327 of 240,000 steps". */
  readonly label: string;
  readonly widthPx?: number | undefined;
  readonly tone?: "plain" | "critical" | "warning" | undefined;
}

const FILL = { plain: "bg-ink-2", critical: "bg-crit", warning: "bg-warn" } as const;

/** A bar with its empty track; a share that is not known is an empty track. */
export function ProgressBar({ share, label, widthPx = 72, tone = "plain" }: ProgressBarProps) {
  const width = `${Math.min(1, Math.max(0, share ?? 0)) * 100}%`;
  return (
    <span role="img" aria-label={label} title={label} className="inline-block h-1 bg-press align-middle" style={{ width: widthPx }}>
      <span className={`block h-1 ${FILL[tone]}`} style={{ width }} />
    </span>
  );
}
