import type { ReactNode } from "react";

/** "For hardware 5": the head of a group of evidence. */
export function EvidenceGroup({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <h3 className="flex items-center gap-2 px-4 pt-[5px] pb-[3px] text-label text-t3 max-desk:px-3">
        <b className="font-semibold text-t1">{title}</b>
        {count}
      </h3>
      <ul className="m-0 list-none p-0">{children}</ul>
    </section>
  );
}

const SIGN = { for: "+", against: "−", neutral: "·" } as const;
const SPOKEN = { for: "for", against: "against", neutral: "neutral" } as const;

export interface EvidenceRowProps {
  readonly weight: keyof typeof SIGN;
  readonly children: string;
  readonly source: ReactNode;
  readonly value: ReactNode;
  /** On hover over the words: where its weight is from. */
  readonly note?: string | undefined;
}

/** One fact: sign, words, where it comes from, the raw value. */
export function EvidenceRow({ weight, children, source, value, note }: EvidenceRowProps) {
  return (
    <li className="grid grid-cols-[14px_minmax(0,1fr)_fit-content(32%)_minmax(92px,auto)] gap-x-2 border-b border-line px-4 pt-1 pb-[5px] text-note max-desk:grid-cols-[14px_minmax(0,1fr)_auto] max-desk:px-3">
      <span className="text-center font-semibold">
        <span aria-hidden="true">{SIGN[weight]}</span>
        <span className="sr-only">{SPOKEN[weight]}</span>
      </span>
      <span title={note}>{children}</span>
      <span className="min-w-[76px] text-t3 [overflow-wrap:anywhere] max-desk:hidden">{source}</span>
      <span className="text-right whitespace-nowrap">{value}</span>
    </li>
  );
}
