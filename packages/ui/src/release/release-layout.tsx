import type { ReactNode } from "react";

export interface ReleaseLayoutProps {
  /** The rows: the page's first thing. */
  readonly rows: ReactNode;
  /** What is decided by: gates and signatures lead it on a phone. */
  readonly rail: ReactNode;
  readonly railLabel: string;
  /** Under the rows. */
  readonly below: ReactNode;
  /** The rail shows one cell in full and needs room for sentences. */
  readonly broadRail: boolean;
}

/** Rows and what follows from them beside a rail; under 720 px rows, rail, the rest. */
export function ReleaseLayout({ rows, rail, railLabel, below, broadRail }: ReleaseLayoutProps) {
  return (
    <div
      className={`grid flex-1 grid-cols-[minmax(0,1fr)] desk:grid-rows-[auto_1fr] ${broadRail ? "desk:grid-cols-[minmax(0,1fr)_minmax(372px,460px)]" : "desk:grid-cols-[minmax(0,1fr)_clamp(260px,26vw,344px)]"}`}
    >
      <div className="min-w-0 border-line desk:border-r">{rows}</div>
      <aside
        aria-label={railLabel}
        className="relative flex min-w-0 flex-col max-desk:border-t max-desk:border-line desk:col-start-2 desk:row-span-2 desk:row-start-1"
      >
        {rail}
      </aside>
      <div className="flex min-w-0 flex-col border-line max-desk:border-t desk:border-r">{below}</div>
    </div>
  );
}

export interface RailPartProps {
  readonly children: ReactNode;
  /** On a phone it comes before those that do not lead. */
  readonly leads?: boolean | undefined;
  /** On a desk it stays in view above the status line, however long what stands before it is. */
  readonly stays?: boolean | undefined;
}

/** A part of the rail, parted by a hairline. */
export function RailPart({ children, leads = false, stays = false }: RailPartProps) {
  // What has the focus behind the part that stays would be hidden by it.
  const room = stays ? "border-t bg-panel desk:sticky desk:bottom-6 desk:z-10 desk:-mt-px print:static" : "desk:[&_button]:scroll-mb-60";
  return <div className={`border-b border-line ${leads ? "max-desk:-order-1" : ""} ${room}`}>{children}</div>;
}
