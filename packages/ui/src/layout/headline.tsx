import type { ReactNode } from "react";

/** What, since, still on, cost, action: the five answers of an incident. Under 720 px the action comes first. */
export function HeadlineRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="grid flex-none border-b border-line bg-panel max-desk:grid-cols-2 desk:grid-cols-[1.35fr_.9fr_1.1fr_.95fr_1.75fr]"
    >
      {children}
    </section>
  );
}

export interface HeadlineCellProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly children?: ReactNode;
  /** The suggested action: washed, with the accent edge. */
  readonly proposal?: boolean | undefined;
  readonly title?: string | undefined;
}

export function HeadlineCell({ label, value, children, proposal = false, title }: HeadlineCellProps) {
  const look = proposal
    ? "bg-accent-wash shadow-[inset_2px_0_var(--accent)] max-desk:order-first max-desk:col-span-2"
    : "border-l border-line first:border-l-0 max-desk:border-t";
  return (
    <div className={`min-w-0 px-4 pt-1.5 pb-2 max-desk:px-3 ${look}`}>
      <h2 className="text-label font-medium text-t3">{label}</h2>
      <p
        title={title}
        className="overflow-hidden text-[15px]/[22px] font-semibold text-ellipsis whitespace-nowrap max-desk:whitespace-normal"
      >
        {value}
      </p>
      <div className="text-note text-t2">{children}</div>
    </div>
  );
}
