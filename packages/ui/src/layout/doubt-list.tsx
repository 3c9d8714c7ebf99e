import type { ReactNode } from "react";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";

/** Sentences with a mark each: what is not known, and what is worth knowing. */
export function DoubtList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="m-0 flex list-none flex-col gap-2 px-4 py-2.5 text-note max-desk:px-3">
      {children}
    </ul>
  );
}

export function DoubtItem({ mark, children }: { readonly mark: Mark; readonly children: ReactNode }) {
  return (
    <li data-mark={mark} className="grid grid-cols-[11px_minmax(0,1fr)] gap-2">
      <span className="mt-[3px] leading-none">
        <SeverityShape mark={mark} />
      </span>
      <span className="[overflow-wrap:anywhere]">{children}</span>
    </li>
  );
}
