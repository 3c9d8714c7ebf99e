import type { ReactNode } from "react";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";

export interface FindingItemProps {
  readonly mark: Mark;
  readonly title: string;
  /** Where it began, in the chart's own axis: "48,210". */
  readonly at: string;
  /** The sentence; left out, the item is one line. */
  readonly children?: ReactNode;
  /** Shown on hover where the sentence is left out. */
  readonly hint?: string | undefined;
  readonly selected?: boolean | undefined;
  /** Steps superseded, or a state other than ongoing. */
  readonly trailing?: ReactNode;
  readonly onSelect: () => void;
}

/** One finding of a rail. Pressing it brings its onset into the view. */
export function FindingItem({ mark, title, at, children, hint, selected = false, trailing, onSelect }: FindingItemProps) {
  return (
    <li className={`relative border-b border-line ${selected ? "bg-panel shadow-[inset_2px_0_var(--accent)]" : "hover:bg-raise"}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className="grid w-full grid-cols-[11px_minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 px-4 pt-2 pb-1 text-left text-note max-desk:px-3"
      >
        <span className="mt-[3px] leading-none">
          <SeverityShape mark={mark} />
        </span>
        <span className="overflow-hidden font-semibold text-ellipsis whitespace-nowrap" title={hint ?? title}>
          {title}
        </span>
        <span className="text-label text-t3">{at}</span>
        {children === undefined ? null : <span className="col-span-2 col-start-2 text-t2">{children}</span>}
      </button>
      {trailing === undefined ? (
        <div className="h-1" />
      ) : (
        <div className="flex gap-2 pr-4 pb-2 pl-[35px] text-label text-t3 max-desk:pl-[31px]">{trailing}</div>
      )}
    </li>
  );
}

/** The list around them. */
export function FindingList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="m-0 list-none p-0">
      {children}
    </ul>
  );
}
