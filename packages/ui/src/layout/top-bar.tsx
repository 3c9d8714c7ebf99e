import type { ComponentPropsWithRef, ReactNode } from "react";
import type { Severity } from "@trainwatch/core";
import { formatInteger } from "../format/index.ts";
import { KeyHint } from "../primitives/key-hint.tsx";
import { MARK_WORDS, SeverityShape } from "../primitives/severity-shape.tsx";

export interface TopBarProps {
  readonly brand: ReactNode;
  readonly navigation: ReactNode;
  /** Open incidents by shape, search, clock with zone, person. */
  readonly trailing: ReactNode;
}

export function TopBar({ brand, navigation, trailing }: TopBarProps) {
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-20 flex h-10 flex-none items-stretch border-b border-line bg-panel px-4 max-desk:px-3"
    >
      <div className="mr-5 flex items-center [&>a]:flex">{brand}</div>
      <nav aria-label="Pages" className="flex max-desk:hidden">
        {navigation}
      </nav>
      <div className="ml-auto flex items-center gap-4 text-note text-t2 max-desk:gap-3">{trailing}</div>
    </header>
  );
}

/** The product's mark and name. */
export function BrandMark() {
  return (
    <span className="inline-flex items-center gap-2 text-body font-semibold">
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <path d="M1.5 12.5H6L8 4l3 11 1.6-5.5H16.5" fill="none" stroke="var(--t1)" strokeWidth="1.5" />
      </svg>
      Trainwatch
    </span>
  );
}

export type NavWordProps = Omit<ComponentPropsWithRef<"a">, "className" | "style">;

/** One word of the top bar; `aria-current="page"` marks where we are. Give it to the router's `createLink`. */
export function NavWord({ children, ...rest }: NavWordProps) {
  return (
    <a
      {...rest}
      className="relative flex items-center px-2.5 text-note text-t2 hover:text-t1 aria-[current=page]:font-medium aria-[current=page]:text-t1 aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-px aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
    >
      {children}
    </a>
  );
}

export interface SeverityCountsProps {
  readonly counts: Readonly<Record<Severity, number>>;
  /** Active runs on which a detector is blind. */
  readonly unknown: number;
}

/** Open incidents by shape. Zeros stand too: that nothing is open is news. */
export function SeverityCounts({ counts, unknown }: SeverityCountsProps) {
  const entries = [
    ["critical", counts.critical],
    ["warning", counts.warning],
    ["info", counts.info],
    ["unknown", unknown],
  ] as const;
  const say = entries
    .map(([mark, count]) => `${formatInteger(count)} ${mark === "unknown" ? "blind" : MARK_WORDS[mark].toLowerCase()}`)
    .join(", ");
  return (
    <span title={`Open incidents: ${say}`} className="flex items-center gap-3 text-t1">
      <span className="sr-only">Open incidents: {say}</span>
      {entries.map(([mark, count]) => (
        <span key={mark} aria-hidden="true" className="inline-flex items-center gap-[5px]">
          <SeverityShape mark={mark} />
          {formatInteger(count)}
        </span>
      ))}
    </span>
  );
}

export interface SearchButtonProps {
  readonly onOpen: () => void;
  /** `⌘K` or `Ctrl K`, as the reader's keyboard has it. */
  readonly keys: string;
}

/** Looks like a field, opens the palette. */
export function SearchButton({ onOpen, keys }: SearchButtonProps) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex h-6 items-center broad:min-w-[164px] gap-2 rounded-control border border-line-2 pr-1 pl-2 text-note whitespace-nowrap text-t3 hover:bg-raise max-desk:hidden"
    >
      Search or command
      <span className="ml-auto">
        <KeyHint keys={keys} />
      </span>
    </button>
  );
}

/** The clock of the chosen zone: date, time, zone. */
export function ClockText({ date, clock, zone }: { readonly date: string; readonly clock: string; readonly zone: string }) {
  return (
    <span className="whitespace-nowrap max-broad:hidden">
      {date} <b className="font-medium text-t1">{clock}</b> {zone}
    </span>
  );
}

/** Who is signed in, by initials. */
export function PersonMark({ name, initials }: { readonly name: string; readonly initials: string }) {
  return (
    <span title={name} className="grid size-[22px] place-items-center rounded-full bg-press text-[10px] font-semibold text-t1">
      <span className="sr-only">Signed in as {name}</span>
      <span aria-hidden="true">{initials}</span>
    </span>
  );
}
