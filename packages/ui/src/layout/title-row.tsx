import type { ReactNode } from "react";

export interface TitleRowProps {
  readonly mark?: ReactNode;
  /** What, how much, where it began, how it stands. */
  readonly title: string;
  /** On hover, where the title is shortened; left out: the title. */
  readonly fullTitle?: string | undefined;
  /** Before the title: severity word, incident number. */
  readonly lead?: ReactNode;
  readonly note?: ReactNode;
  readonly chips?: ReactNode;
  readonly actions?: ReactNode;
}

/** The head of a page: 44 px, on a phone as many lines as it needs. Where there is too little room the note gives way before the title, the actions never. */
export function TitleRow({ mark, title, fullTitle = title, lead, note, chips, actions }: TitleRowProps) {
  return (
    <div className="flex min-h-11 flex-none items-center gap-3 border-b border-line px-4 max-desk:flex-wrap max-desk:gap-y-1.5 max-desk:px-3 max-desk:py-2.5">
      {mark}
      {lead}
      <h1
        className="min-w-0 overflow-hidden text-title font-semibold text-ellipsis whitespace-nowrap max-desk:whitespace-normal"
        title={fullTitle}
      >
        {title}
      </h1>
      {note === undefined ? null : (
        <span className="min-w-24 shrink-[6] overflow-hidden text-ellipsis whitespace-nowrap text-t2 max-desk:min-w-0 max-desk:basis-full max-desk:text-note max-desk:whitespace-normal">
          {note}
        </span>
      )}
      {chips === undefined ? null : (
        <span className="flex flex-none gap-2 max-desk:min-w-0 max-desk:flex-initial max-desk:flex-wrap">{chips}</span>
      )}
      {actions === undefined ? null : (
        <div
          data-print="hide"
          className="ml-auto flex flex-none items-center gap-1 max-desk:ml-0 max-desk:min-w-0 max-desk:flex-initial max-desk:flex-wrap"
        >
          {actions}
        </div>
      )}
    </div>
  );
}
