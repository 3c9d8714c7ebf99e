export interface CountedDrawsProps {
  /** Share of draws in which the action was the best, 0 to 1. */
  readonly share: number;
  readonly label: string;
}

const SQUARES = 50;
/** A square and the pixel to the next one. */
const PITCH = 8;

/** A probability as counted squares (43 of 50), so that it cannot be read as progress. */
export function CountedDraws({ share, label }: CountedDrawsProps) {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * SQUARES);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SQUARES * PITCH - 1} 6`}
      preserveAspectRatio="none"
      className="mt-[5px] block h-1.5 w-full"
    >
      <title>{label}</title>
      {Array.from({ length: SQUARES }, (_, index) => (
        <rect key={index} x={index * PITCH} width={PITCH - 1} height="6" fill={index < filled ? "var(--ink)" : "var(--line-2)"} />
      ))}
    </svg>
  );
}
