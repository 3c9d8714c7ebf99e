export interface ShareBarProps {
  /** 0 to 1. */
  readonly share: number;
  /** "93 %": written beside the bar and spoken. */
  readonly label: string;
  /** The one that matters. */
  readonly lit?: boolean | undefined;
}

const WIDTH_PX = 44;

/** How much of the whole belongs to one thing, with its number. */
export function ShareBar({ share, label, lit = false }: ShareBarProps) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <svg width={WIDTH_PX} height="4" aria-hidden="true" className="block flex-none">
        <rect width={WIDTH_PX} height="4" fill="var(--press)" />
        <rect width={WIDTH_PX * Math.min(1, Math.max(0, share))} height="4" fill={lit ? "var(--crit)" : "var(--ink-2)"} />
      </svg>
      {label}
    </span>
  );
}
