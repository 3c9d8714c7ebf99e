import type { ReactNode } from "react";

/** What happened, in order; three columns on a desk, one on a phone. */
export function Timeline({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ol
      aria-label={label}
      className="m-0 list-none columns-1 gap-8 px-4 pb-2 text-note leading-[18px] max-desk:px-3 max-desk:pb-3 broad:columns-3"
    >
      {children}
    </ol>
  );
}

export interface TimelineItemProps {
  readonly at: ReactNode;
  readonly actor: string;
  readonly children: ReactNode;
  /** What waits for somebody. */
  readonly open?: boolean | undefined;
}

export function TimelineItem({ at, actor, children, open = false }: TimelineItemProps) {
  return (
    <li className="grid break-inside-avoid grid-cols-[minmax(60px,auto)_92px_minmax(0,1fr)] gap-2 max-desk:grid-cols-[minmax(56px,auto)_minmax(0,1fr)]">
      <span className="text-t3">{at}</span>
      <span className="overflow-hidden text-ellipsis whitespace-nowrap text-t2 max-desk:hidden" title={actor}>
        {actor}
      </span>
      <span className={open ? "text-accent" : ""}>{children}</span>
    </li>
  );
}

/** Recent changes: a clock column and a sentence each. */
export function RecentList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="m-0 flex list-none flex-col gap-2 px-4 py-2.5 text-note max-desk:px-3">
      {children}
    </ul>
  );
}

export function RecentItem({ at, children }: { readonly at: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="grid grid-cols-[76px_minmax(0,1fr)] gap-2">
      <span className="text-t3">{at}</span>
      <span>{children}</span>
    </li>
  );
}
