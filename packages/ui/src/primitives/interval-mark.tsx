export interface IntervalMarkProps {
  /** All three 0 to 1. */
  readonly share: number;
  readonly lower: number;
  readonly upper: number;
  /** Spoken: "precision 80 %, 95 % interval 49 to 94 %". */
  readonly label: string;
  readonly widthPx?: number | undefined;
}

const HIGH_PX = 10;

/** An estimate with its interval on a track from 0 to 1: the whisker is as much of the message as the mark. */
export function IntervalMark({ share, lower, upper, label, widthPx = 72 }: IntervalMarkProps) {
  const at = (value: number): number => 2 + Math.min(1, Math.max(0, value)) * (widthPx - 4);
  const middle = HIGH_PX / 2;
  return (
    <svg role="img" aria-label={label} width={widthPx} height={HIGH_PX} className="inline-block align-middle">
      <title>{label}</title>
      <line x1="0" x2={widthPx} y1={middle} y2={middle} stroke="var(--line-2)" />
      <line x1={at(lower)} x2={at(upper)} y1={middle} y2={middle} stroke="var(--ink-2)" strokeWidth="2" />
      <line x1={at(lower)} x2={at(lower)} y1={middle - 3} y2={middle + 3} stroke="var(--ink-2)" />
      <line x1={at(upper)} x2={at(upper)} y1={middle - 3} y2={middle + 3} stroke="var(--ink-2)" />
      <rect x={at(share) - 2} y={middle - 2.5} width="4" height="5" fill="var(--ink)" />
    </svg>
  );
}
