import type { ReactNode } from "react";

export interface EmptyStateProps {
  /** What is not there: "No runs yet". */
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
  /** A command to copy. */
  readonly command?: string | undefined;
  readonly action?: ReactNode;
}

/** Nothing is there yet. It says what would bring it, and never looks like health. */
export function EmptyState({ title, children, command, action }: EmptyStateProps) {
  return (
    <div className="flex flex-1 flex-col items-start justify-center gap-1.5 px-4 py-6 max-desk:px-3">
      <b className="font-semibold">{title}</b>
      {children === undefined ? null : <div className="text-note text-t2">{children}</div>}
      {command === undefined ? null : (
        <code className="max-w-full rounded-chip bg-raise px-1.5 py-[3px] font-mono text-label [overflow-wrap:anywhere]">{command}</code>
      )}
      {action}
    </div>
  );
}
