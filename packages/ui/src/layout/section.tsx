import { useId, type ReactNode } from "react";

export interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  /** Links and legends at the right end of the head. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
  /** Takes the room that is left in its column. */
  readonly grow?: boolean | undefined;
  /** Without the rule under the head: where a chart or table brings its own. */
  readonly plain?: boolean | undefined;
}

/** A head of 32 px and what belongs to it. */
export function Section({ title, note, trailing, children, grow, plain }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`flex min-w-0 flex-col ${grow === true ? "flex-1" : "flex-none"}`}>
      <div
        className={`flex min-h-8 flex-none flex-wrap items-center gap-x-3 px-4 whitespace-nowrap max-desk:gap-y-1 max-desk:px-3 max-desk:py-1 ${plain === true ? "" : "border-b border-line"}`}
      >
        <h2 id={id} className="text-note font-semibold">
          {title}
        </h2>
        {note === undefined ? null : (
          <span
            className="min-w-0 overflow-hidden text-label text-ellipsis text-t3 max-desk:whitespace-normal"
            title={typeof note === "string" ? note : undefined}
          >
            {note}
          </span>
        )}
        {trailing === undefined ? null : <div className="ml-auto flex min-w-0 items-center gap-3 text-label text-t3">{trailing}</div>}
      </div>
      {children}
    </section>
  );
}

export interface InsetProps {
  readonly children: ReactNode;
  readonly foot?: boolean | undefined;
  /** Close beneath the head: words that belong to it. */
  readonly flat?: boolean | undefined;
}

/** Prose or controls inside a section, on the page's gutter. */
export function Inset({ children, foot, flat }: InsetProps) {
  return (
    <div
      className={`px-4 max-desk:px-3 ${foot === true ? "mt-auto border-t border-line py-1 text-label text-t3" : flat === true ? "pb-1 text-note" : "py-2 text-note"}`}
    >
      {children}
    </div>
  );
}

/** A hairline between two parts of a column. */
export function Rule() {
  return <hr className="m-0 border-0 border-t border-line" />;
}
