import type { ReactNode } from "react";
import { formatInteger } from "../format/index.ts";
import { SeverityShape } from "../primitives/severity-shape.tsx";

/** Some of the sources are missing: how many, which, why. */
export function PartialNote({
  present,
  total,
  what,
  children,
}: {
  readonly present: number;
  readonly total: number;
  readonly what: string;
  readonly children?: ReactNode;
}) {
  return (
    <Notice mark="unknown">
      <b className="font-semibold">Partial</b> {formatInteger(present)} of {formatInteger(total)} {what}
      {children === undefined ? null : <>. {children}</>}
    </Notice>
  );
}

/** The data is old: since when, and why if it is known. */
export function StaleNote({ age, children }: { readonly age: string; readonly children?: ReactNode }) {
  return (
    <Notice mark="warning" lit>
      <b className="font-semibold">Stale</b> last sample {age} ago{children === undefined ? null : <>. {children}</>}
    </Notice>
  );
}

/** There has been no connection yet: nothing is lost, and nothing below can be known. */
export function ConnectingNote() {
  return <Notice mark="info">Connecting: the server has not answered yet, trying again</Notice>;
}

/** The live connection is gone and being sought again. */
export function ConnectionNote({ since }: { readonly since: string }) {
  return (
    <Notice mark="warning" lit>
      Connection lost {since} ago, trying again
    </Notice>
  );
}

/** Something a reader must know before trusting what is below. */
export function Notice({
  mark,
  lit = false,
  children,
}: {
  readonly mark: "warning" | "unknown" | "info" | "critical";
  readonly lit?: boolean | undefined;
  readonly children: ReactNode;
}) {
  return (
    <output
      className={`flex flex-none items-baseline gap-1.5 border-b border-line px-4 py-1.5 text-note max-desk:px-3 ${lit ? (mark === "critical" ? "text-crit-ink" : "text-warn-ink") : "text-t2"}`}
    >
      <span className="relative top-px">
        <SeverityShape mark={mark} />
      </span>
      <span>{children}</span>
    </output>
  );
}

/** Hatched: no data, blind, not comparable. The word says which. */
export function Hatched({ children, heightPx }: { readonly children: string; readonly heightPx?: number | undefined }) {
  return (
    <div className="hatched grid min-h-6 place-items-center" {...(heightPx === undefined ? {} : { style: { height: heightPx } })}>
      <span className="bg-bg px-1.5 text-label text-t2">{children}</span>
    </div>
  );
}

/** A value that is not known, in a table cell or a sentence. */
export function UnknownWord({
  children = "unknown",
  title,
}: {
  readonly children?: string | undefined;
  readonly title?: string | undefined;
}) {
  return (
    <span title={title} className="inline-flex items-center gap-1.5 whitespace-nowrap text-t3">
      <SeverityShape mark="unknown" />
      {children}
    </span>
  );
}

/** Why something cannot be told, in a sentence of as many lines as it needs. */
export function UnknownSentence({ children }: { readonly children: string }) {
  return (
    <span className="flex min-w-0 items-baseline gap-1.5 text-t2">
      <SeverityShape mark="unknown" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  );
}
