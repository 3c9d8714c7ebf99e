import type { ReactNode } from "react";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";

const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_256px_132px_92px_116px_80px_56px_92px] gap-x-4 px-4 max-broad:grid-cols-[minmax(0,1fr)_220px_92px_80px_80px] max-desk:grid-cols-[minmax(0,1fr)_auto] max-desk:px-3";
/** Columns lost between a phone and a full desk, least needed first. */
const BROAD_ONLY = "max-broad:hidden";
const DESK_ONLY = "max-desk:hidden";

export interface IncidentTableProps {
  readonly label: string;
  /** What the preview line covers: "last 64 points". */
  readonly signalHead: string;
  readonly children: ReactNode;
}

/** Incidents, one row each, the same on the overview and in the inbox. */
export function IncidentTable({ label, signalHead, children }: IncidentTableProps) {
  return (
    <div role="table" aria-label={label}>
      <div role="row" className={`${COLUMNS} h-6 items-center border-b border-line text-label text-t3 max-desk:hidden`}>
        <span role="columnheader" className="pl-[21px]">What and where</span>
        <span role="columnheader">Suggested action</span>
        <span role="columnheader" className={BROAD_ONLY}>{signalHead}</span>
        <span role="columnheader">Since</span>
        <span role="columnheader">Still on?</span>
        <span role="columnheader" className="text-right">GPU-h per h</span>
        <span role="columnheader" className={`text-right ${BROAD_ONLY}`}>So far</span>
        <span role="columnheader" className={BROAD_ONLY}>Owner</span>
      </div>
      {children}
    </div>
  );
}

/** A word and, under it in the label ink, what stands behind it. */
export interface Told {
  readonly text: ReactNode;
  readonly note?: ReactNode;
}

export interface IncidentRowProps {
  readonly mark: Mark;
  /** A link to the incident, in its own words. */
  readonly title: ReactNode;
  readonly where: string;
  readonly selected: boolean;
  readonly action: (Told & { readonly waits: boolean }) | null;
  readonly signal: ReactNode;
  readonly since: Told;
  readonly stillOn: Told;
  /** Null where it is not known: the word is then written, not a zero. */
  readonly rate: string | null;
  /** Its share of the largest rate in the table, for the bar; null without a bar. */
  readonly rateShare: number | null;
  readonly soFar: string | null;
  readonly owner: Told | null;
  /** Severity, since and owner in one line, for a phone. */
  readonly brief: string;
  readonly rowRef?: ((row: HTMLDivElement | null) => void) | undefined;
  readonly onOpen: () => void;
}

export function IncidentRow(props: IncidentRowProps) {
  const { mark, title, where, selected, action, signal, since, stillOn, rate, rateShare, soFar, owner, brief, rowRef, onOpen } = props;
  return (
    <div
      role="row"
      ref={rowRef}
      aria-selected={selected}
      onClick={onOpen}
      className={`${COLUMNS} min-h-[52px] cursor-pointer items-center border-b border-line py-1.5 text-note max-desk:items-start max-desk:py-2.5 ${selected ? "bg-panel shadow-[inset_2px_0_var(--accent)]" : "hover:bg-raise"}`}
    >
      <div role="cell" className="flex min-w-0 items-start gap-2.5">
        <span className="mt-1 flex"><SeverityShape mark={mark} /></span>
        <span className="min-w-0 flex-1">
          <span className="block overflow-hidden text-body font-semibold text-ellipsis whitespace-nowrap max-desk:whitespace-normal">{title}</span>
          <span className="block overflow-hidden font-mono text-[11px]/[16px] text-ellipsis whitespace-nowrap text-t2">{where}</span>
          <span className="hidden text-label text-t3 max-desk:block">{brief}</span>
          {action === null ? null : (
            <span className="hidden max-desk:block">
              {action.text} <span className="text-t3">{action.note}</span>
            </span>
          )}
        </span>
      </div>
      <div role="cell" className={`min-w-0 text-t2 ${DESK_ONLY}`}>
        {action === null ? <span className="text-t3">No advice yet</span> : <span className="block overflow-hidden text-ellipsis whitespace-nowrap text-t1">{action.text}</span>}
        {action === null ? null : (
          <span className="block text-t3">
            {action.note}
            {action.waits ? <span className="text-accent">{action.note === undefined ? "" : ", "}waits for you</span> : null}
          </span>
        )}
      </div>
      <div role="cell" className={BROAD_ONLY}>{signal}</div>
      <ToldCell told={since} />
      <ToldCell told={stillOn} />
      <div role="cell" className="text-right">
        {rate === null ? <span className="text-t3">unknown</span> : <span className={rate === "0" ? "text-t3" : "text-lane font-semibold"}>{rate}</span>}
        {rateShare === null ? null : (
          <span className="mt-[3px] block h-[3px] bg-press">
            <span className="ml-auto block h-[3px] bg-ink" style={{ width: `${Math.min(1, Math.max(0, rateShare)) * 100}%` }} />
          </span>
        )}
      </div>
      <div role="cell" className={`text-right ${BROAD_ONLY}`}>{soFar ?? <span className="text-t3">–</span>}</div>
      <div role="cell" className={`min-w-0 ${BROAD_ONLY}`}>
        <span className={`block overflow-hidden text-ellipsis whitespace-nowrap ${owner === null ? "text-t3" : ""}`}>{owner?.text ?? "Nobody"}</span>
        {owner?.note === undefined ? null : <span className="block text-label text-t3">{owner.note}</span>}
      </div>
    </div>
  );
}

function ToldCell({ told }: { readonly told: Told }) {
  return (
    <div role="cell" className={`min-w-0 ${DESK_ONLY}`}>
      <span className="block overflow-hidden text-ellipsis whitespace-nowrap">{told.text}</span>
      {told.note === undefined ? null : <span className="block overflow-hidden text-label text-ellipsis whitespace-nowrap text-t3">{told.note}</span>}
    </div>
  );
}
