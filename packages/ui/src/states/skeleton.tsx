export interface SkeletonProps {
  /** What is being loaded: "runs", "the chart". */
  readonly label: string;
  readonly heightPx: number;
}

/** A block of the final size: no spinner, no jump when the content comes. */
export function SkeletonBlock({ label, heightPx }: SkeletonProps) {
  return <output aria-label={`Loading ${label}`} className="skeleton m-4 block max-desk:m-3" style={{ height: heightPx }} />;
}

/** Rows of a table that is on its way. */
export function SkeletonRows({
  label,
  rows,
  heightPx = 28,
}: {
  readonly label: string;
  readonly rows: number;
  readonly heightPx?: number | undefined;
}) {
  return (
    <output aria-label={`Loading ${label}`} className="block">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="flex items-center border-b border-line px-4 max-desk:px-3" style={{ height: heightPx }}>
          <span className="skeleton h-2.5" style={{ width: `${38 + ((index * 23) % 41)}%` }} />
        </span>
      ))}
    </output>
  );
}

/** Readouts that are on their way. */
export function SkeletonReadouts({ label, count }: { readonly label: string; readonly count: number }) {
  return (
    <output aria-label={`Loading ${label}`} className="flex h-12 flex-none border-b border-line bg-panel">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="flex flex-1 flex-col justify-center gap-1.5 border-l border-line px-4 first:border-l-0">
          <span className="skeleton h-2 w-2/5" />
          <span className="skeleton h-3 w-3/5" />
        </span>
      ))}
    </output>
  );
}
