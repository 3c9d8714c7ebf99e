import type { ReactNode } from "react";

const GAP = { 0: "gap-0", 1: "gap-1", 2: "gap-2", 3: "gap-3", 4: "gap-4", 6: "gap-6" } as const;

export interface FlowProps {
  readonly children: ReactNode;
  /** Steps of the 4 px grid. */
  readonly gap?: keyof typeof GAP | undefined;
  readonly wrap?: boolean | undefined;
  readonly align?: "start" | "center" | "baseline" | undefined;
  readonly justify?: "start" | "between" | "end" | undefined;
}

const ALIGN = { start: "items-start", center: "items-center", baseline: "items-baseline" } as const;
const JUSTIFY = { start: "", between: "justify-between", end: "justify-end" } as const;

/** Things in a row. */
export function Inline({ children, gap = 2, wrap, align = "center", justify = "start" }: FlowProps) {
  return (
    <span className={`flex min-w-0 ${GAP[gap]} ${ALIGN[align]} ${JUSTIFY[justify]} ${wrap === true ? "flex-wrap" : ""}`}>{children}</span>
  );
}

/** Things below one another. */
export function Stack({ children, gap = 2 }: Pick<FlowProps, "children" | "gap">) {
  return <div className={`flex min-w-0 flex-col ${GAP[gap]}`}>{children}</div>;
}

/** A row of controls: 42 px, on the page's gutter. */
export function ActionRow({ children }: { readonly children: ReactNode }) {
  return (
    <div
      data-print="hide"
      className="flex min-h-[42px] flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-1.5 max-desk:px-3"
    >
      {children}
    </div>
  );
}

/** Filters above a table. */
export function Toolbar({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="flex min-h-9 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-note text-t2 max-desk:px-3"
    >
      {children}
    </div>
  );
}

/** Heard by readers, not seen. */
export function SpokenOnly({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
