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

/** A part of the rail, parted by a hairline. On a phone those that `leads` come first. */
export function RailPart({ children, leads = false }: { readonly children: ReactNode; readonly leads?: boolean | undefined }) {
  return <div className={`border-b border-line ${leads ? "max-desk:-order-1" : ""}`}>{children}</div>;
}
