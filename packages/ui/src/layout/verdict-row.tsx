import type { ReactNode } from "react";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";

/** Verdicts on one thing, parted by hairlines: six on a desk, two abreast on a phone. */
export function VerdictRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="grid flex-none border-b border-line bg-panel max-desk:grid-cols-2 desk:auto-cols-fr desk:grid-flow-col desk:[&>*+*]:border-l desk:[&>*+*]:border-line max-desk:[&>*]:border-t max-desk:[&>*]:border-line max-desk:[&>*:nth-child(even)]:border-l"
    >
      {children}
    </section>
  );
}

export interface VerdictCellProps {
  readonly label: string;
  readonly mark: Mark;
  /** "64 of 64 shards". */
  readonly children: ReactNode;
  /** What stands behind it, or why it is not known. */
  readonly detail: string;
}

/** A verdict and what it rests on. One that is not known is hatched, and says why. */
export function VerdictCell({ label, mark, children, detail }: VerdictCellProps) {
  const isUnknown = mark === "unknown";
  return (
    <div data-verdict={mark} className="relative min-w-0 px-4 pt-2 pb-[9px] max-desk:px-3">
      {isUnknown ? <span aria-hidden="true" className="hatched absolute inset-x-0 top-0 h-[3px]" /> : null}
      <h2 className="mb-px text-label font-medium text-t3">{label}</h2>
      <p className={`flex items-center gap-[7px] text-[14px]/[20px] font-semibold ${isUnknown ? "text-t2" : ""}`}>
        <SeverityShape mark={mark} />
        <span
          className="min-w-0 overflow-hidden text-ellipsis whitespace-nowrap max-desk:whitespace-normal"
          title={typeof children === "string" ? children : undefined}
        >
          {children}
        </span>
      </p>
      <p className="line-clamp-2 text-note text-t2 max-desk:line-clamp-none" title={detail}>
        {detail}
      </p>
    </div>
  );
}

/** While they are on their way: the same height. */
export function SkeletonVerdicts({ label, count }: { readonly label: string; readonly count: number }) {
  return (
    <output
      aria-label={`Loading ${label}`}
      className="grid flex-none border-b border-line bg-panel max-desk:grid-cols-2 desk:auto-cols-fr desk:grid-flow-col desk:[&>*+*]:border-l desk:[&>*+*]:border-line"
    >
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="flex h-[69px] flex-col justify-center gap-2 px-4 max-desk:px-3">
          <span className="skeleton h-2 w-2/5" />
          <span className="skeleton h-3.5 w-3/5" />
          <span className="skeleton h-2.5 w-4/5" />
        </span>
      ))}
    </output>
  );
}
