import { useId, type ReactNode } from "react";
import { sayShare } from "@trainwatch/core";

export interface CauseItemProps {
  /** "hardware" and which, as a link where there is a page for it. */
  readonly title: ReactNode;
  /** 0 to 1. */
  readonly share: number;
  /** "5 for, 3 against". */
  readonly note: string;
  /** The likeliest one is lit, the others are grey. */
  readonly lit: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** The facts; only asked for while it is open. */
  readonly children: ReactNode;
  /** For a reader: "hardware, GPU-9b1f". */
  readonly name: string;
}

/** One cause with its share of belief; pressing it shows the facts for and against. */
export function CauseItem({ title, share, note, lit, open, onToggle, children, name }: CauseItemProps) {
  const id = useId();
  const words = sayShare(share);
  return (
    <li className="border-b border-line last:border-b-0">
      <div className="grid grid-cols-[14px_minmax(0,1fr)_96px_48px] items-center gap-x-2 px-4 py-[5px] text-note max-desk:px-3">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          aria-label={`Facts on ${name}`}
          onClick={onToggle}
          className="grid size-[14px] place-items-center rounded-chip text-t3 hover:text-t1"
        >
          <svg width="7" height="7" viewBox="0 0 7 7" aria-hidden="true" className={open ? "rotate-90" : ""}>
            <path d="M1.5.5 5 3.5 1.5 6.5" fill="none" stroke="currentColor" strokeWidth="1.2" />
          </svg>
        </button>
        <span className="flex min-w-0 items-baseline gap-2">
          <span
            title={typeof title === "string" ? title : undefined}
            className={`min-w-0 overflow-hidden text-ellipsis whitespace-nowrap ${lit ? "font-semibold" : ""}`}
          >
            {title}
          </span>
          <span className="flex-none text-label text-t3 max-desk:hidden">{note}</span>
        </span>
        <svg role="img" aria-label={`${words} of belief`} width="96" height="5" className="block">
          <rect width="96" height="5" fill="var(--press)" />
          <rect width={Math.max(share > 0 ? 1 : 0, 96 * Math.min(1, share))} height="5" fill={lit ? "var(--crit)" : "var(--ink-2)"} />
        </svg>
        <span className="text-right font-semibold whitespace-nowrap">
          {words.replace("over ", "> ").replace("under ", "< ").replace(" %", "")}
          <span className="ml-[3px] text-label font-normal text-t3">%</span>
        </span>
      </div>
      <div id={id} hidden={!open} className="pb-1">
        {open ? children : null}
      </div>
    </li>
  );
}

export function CauseList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="m-0 list-none p-0">
      {children}
    </ul>
  );
}

/** What is worth doing next, with its button: washed like a proposal. */
export function NextStep({
  label,
  children,
  actions,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}) {
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-accent-wash px-4 py-2 text-note shadow-[inset_2px_0_var(--accent)] max-desk:px-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-label text-t3">{label}</p>
        {children}
      </div>
      <div data-print="hide" className="flex flex-none gap-2">
        {actions}
      </div>
    </div>
  );
}
