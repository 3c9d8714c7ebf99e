import type { ReactNode } from "react";

export interface ChipProps {
  readonly children: ReactNode;
  readonly tone?: "plain" | "accent" | "critical" | "warning" | undefined;
  readonly title?: string | undefined;
}

const TONE = {
  plain: "border-line-2 text-t2",
  accent: "border-accent text-accent",
  critical: "border-crit-ink text-crit-ink",
  warning: "border-warn-ink text-warn-ink",
} as const;

/** A small fact beside a title: "12,288 GPUs", "acknowledged", "shown 1,024 of 61,400". */
export function Chip({ children, tone = "plain", title }: ChipProps) {
  return (
    <span
      title={title}
      className={`inline-flex h-4 items-center gap-1 rounded-chip border px-[5px] text-micro whitespace-nowrap ${TONE[tone]}`}
    >
      {children}
    </span>
  );
}
