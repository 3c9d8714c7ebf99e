import type { ReactNode } from "react";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";

/** The foot of every page. It never hides; on a phone it shrinks to the items that are not `wide`. */
export function StatusLine({ children }: { readonly children: ReactNode }) {
  return (
    <footer
      data-print="hide"
      aria-label="System status"
      className="sticky bottom-0 z-20 flex h-6 flex-none items-center gap-5 overflow-hidden border-t border-line bg-panel px-4 text-label whitespace-nowrap text-t3 max-desk:bottom-12 max-desk:gap-3 max-desk:px-3"
    >
      {children}
    </footer>
  );
}

export interface StatusItemProps {
  readonly children: ReactNode;
  readonly mark?: Mark | undefined;
  readonly wide?: boolean | undefined;
  readonly title?: string | undefined;
  /** Says changes aloud, politely: for the connection. */
  readonly live?: boolean | undefined;
}

export function StatusItem({ children, mark, wide, title, live }: StatusItemProps) {
  return (
    <span
      title={title}
      {...(live === true ? { role: "status" } : {})}
      className={`inline-flex items-center gap-1.5 ${wide === true ? "max-desk:hidden" : ""}`}
    >
      {mark === undefined ? null : <SeverityShape mark={mark} size={8} />}
      <span>{children}</span>
    </span>
  );
}

/** The measured part of a status item. */
export function StatusValue({ children }: { readonly children: ReactNode }) {
  return <b className="font-medium text-t2">{children}</b>;
}

/** Pushes what follows to the right end of a row. */
export function Spacer() {
  return <span className="flex-1" />;
}
