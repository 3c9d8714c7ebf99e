import type { ReactNode } from "react";
import { MISSING, type Quantity } from "../format/index.ts";

export interface ReadoutRowProps {
  readonly label: string;
  /** The first readout is the page's first word: on a phone it takes a line of its own. */
  readonly leads?: boolean | undefined;
  readonly children: ReactNode;
}

const LEADS =
  "max-desk:[&>*:first-child]:col-span-2 max-desk:[&>*:nth-child(even)]:border-l-0 max-desk:[&>*:nth-child(odd):not(:first-child)]:border-l";

/** A row of instruments parted by hairlines. */
export function ReadoutRow({ label, leads = false, children }: ReadoutRowProps) {
  return (
    <section
      aria-label={label}
      className={`flex flex-none border-b border-line bg-panel max-desk:grid max-desk:grid-cols-2 ${leads ? LEADS : ""}`}
    >
      {children}
    </section>
  );
}

export interface ReadoutProps {
  readonly label: string;
  readonly quantity: Quantity;
  /** Words after the unit: "of 240,000". */
  readonly note?: ReactNode;
  /** Why the value is missing: it is then hatched, with this as the word. */
  readonly unknown?: string | null | undefined;
  /** `large` on the overview, where a readout is the page's first word. */
  readonly size?: "regular" | "large" | undefined;
  readonly title?: string | undefined;
  readonly mark?: ReactNode;
}

/** What may be cut is told whole under the pointer, where it is words alone. */
function wordsAsTitle(node: ReactNode): { readonly title?: string } {
  return typeof node === "string" ? { title: node } : {};
}

export function Readout({ label, quantity, note, unknown, size = "regular", title, mark }: ReadoutProps) {
  const missing = quantity.text === MISSING;
  const valueClass = size === "large" ? "text-readout font-semibold" : "text-lane font-semibold";
  return (
    <div
      title={title ?? (missing ? (unknown ?? undefined) : undefined)}
      className="min-w-0 flex-auto border-l border-line px-4 py-1.5 whitespace-nowrap first:border-l-0 max-desk:border-t max-desk:border-l-0 max-desk:px-3 max-desk:even:border-l"
    >
      <p className="overflow-hidden text-label text-ellipsis text-t3 max-desk:whitespace-normal" title={label}>
        {label}
      </p>
      <p className="flex items-baseline gap-1 overflow-hidden">
        {mark}
        <b className={valueClass}>{quantity.text}</b>
        {quantity.unit === "" ? null : <span className="text-label text-t3">{quantity.unit}</span>}
        {note === undefined ? null : (
          <span className="overflow-hidden text-label text-ellipsis text-t3 max-desk:whitespace-normal" {...wordsAsTitle(note)}>
            {note}
          </span>
        )}
        {missing && typeof unknown === "string" ? (
          <span className="ml-1 inline-flex min-w-0 items-center gap-1 overflow-hidden text-label text-ellipsis text-t3">
            <span aria-hidden="true" className="hatched inline-block h-2.5 w-4 flex-none" />
            <span className="overflow-hidden text-ellipsis">{unknown}</span>
          </span>
        ) : null}
      </p>
    </div>
  );
}
