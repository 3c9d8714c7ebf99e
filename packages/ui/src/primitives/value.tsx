import type { Quantity } from "../format/index.ts";
import { MISSING } from "../format/index.ts";
import { TONE_CLASS, type Tone } from "./tone.ts";

export interface ValueProps {
  readonly quantity: Quantity;
  readonly tone?: Tone | undefined;
  readonly bold?: boolean | undefined;
  /** Why it is missing; becomes the title of the dash. */
  readonly missing?: string | undefined;
}

/** A value and, 3 px after, its unit in the label ink. */
export function Value({ quantity, tone, bold, missing }: ValueProps) {
  const title = quantity.text === MISSING ? missing : undefined;
  return (
    <span
      className={`whitespace-nowrap ${tone === undefined ? "" : TONE_CLASS[tone]} ${bold === true ? "font-semibold" : ""}`}
      title={title}
    >
      {quantity.text}
      {quantity.unit === "" ? null : <Unit>{quantity.unit}</Unit>}
    </span>
  );
}

export function Unit({ children }: { readonly children: string }) {
  return <span className="ml-[3px] text-label font-normal text-t3">{children}</span>;
}
