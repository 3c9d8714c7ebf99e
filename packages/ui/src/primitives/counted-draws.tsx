export interface CountedDrawsProps {
  /** Share of draws in which the action was the best, 0 to 1. */
  readonly share: number;
  readonly label: string;
}

const SQUARES = 50;

/** A probability as counted squares (43 of 50), so that it cannot be read as progress. */
export function CountedDraws({ share, label }: CountedDrawsProps) {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * SQUARES);
  return (
    <span role="img" aria-label={label} title={label} className="mt-[5px] grid h-1.5 grid-cols-[repeat(50,1fr)] gap-px">
      {Array.from({ length: SQUARES }, (_, index) => (
        <span key={index} className={index < filled ? "bg-ink" : "bg-line-2"} />
      ))}
    </span>
  );
}
