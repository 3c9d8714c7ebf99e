import type { MouseEvent, ReactNode } from "react";
import { MISSING } from "../format/index.ts";
import { SeverityShape, type Mark } from "../primitives/severity-shape.tsx";
import { UnknownWord } from "../states/notices.tsx";

const BROAD_ONLY = "max-broad:hidden";
const DESK_ONLY = "max-desk:hidden";
const CLIP = "block overflow-hidden text-ellipsis whitespace-nowrap";
const CELL =
  "h-[52px] px-2 py-1.5 align-middle first:pl-4 last:pr-4 max-desk:py-2.5 max-desk:align-top max-desk:first:pl-3 max-desk:last:pr-3";

/** A word and, under it in the label ink, what stands behind it. */
export interface Told {
  readonly text: ReactNode;
  readonly note?: ReactNode;
}

export interface IncidentRowProps {
  readonly mark: Mark;
  /** A link to the incident, in its own words. */
  readonly title: ReactNode;
  /** The same as text: what hovering over a title that is cut shows. */
  readonly fullTitle: string;
  readonly where: string;
  /** The likeliest cause in one line; left out before causes were weighed. */
  readonly cause?: string | undefined;
  /** "flapping ×4", "regression of #12": what is out of the ordinary. */
  readonly chips?: ReactNode;
  /** Marks the row for what is done to several at once. */
  readonly check?: { readonly label: string; readonly checked: boolean; readonly onChange: () => void } | undefined;
  readonly selected: boolean;
  /** Null before the first advice. `waits`: nobody has decided on it. */
  readonly action: (Told & { readonly waits: boolean }) | null;
  readonly signal: ReactNode;
  readonly since: Told;
  readonly stillOn: Told;
  /** Null where it is not known: the word is then written, not a zero. */
  readonly rate: string | null;
  /** Its share of the largest rate in the table, for the bar; null without a bar. */
  readonly rateShare: number | null;
  readonly soFar: string | null;
  /** Why a cost is not known. */
  readonly costUnknown: string | null;
  readonly owner: Told | null;
  /** Severity, since and owner in one line, for a phone. */
  readonly brief: string;
  readonly rowRef?: ((row: HTMLTableRowElement | null) => void) | undefined;
  /** A press anywhere on the row; the title's link does the same for keys and readers. */
  readonly onOpen: () => void;
}

export function IncidentRow(props: IncidentRowProps) {
  const { selected, action, signal, since, stillOn, soFar, costUnknown, owner, rowRef, onOpen } = props;
  const press = (event: MouseEvent<HTMLElement>): void => {
    // A press on the link goes its own way, with all that the browser adds to it (a new tab, a copy); one on the check box only checks.
    if (!(event.target instanceof HTMLElement) || event.target.closest("a, label, input") === null) onOpen();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the title's link is the way by key
    <tr
      ref={rowRef}
      data-selected={selected}
      onClick={press}
      className={`cursor-pointer border-b border-line ${selected ? "bg-panel [&>td:first-child]:shadow-[inset_2px_0_var(--accent)]" : "hover:bg-raise"}`}
    >
      <td className={CELL}>
        <What {...props} />
      </td>
      <td className={`${CELL} ${DESK_ONLY}`}>
        {action === null ? (
          <span className="text-t3">No advice yet</span>
        ) : (
          <span className={CLIP} title={typeof action.text === "string" ? action.text : undefined}>
            {action.text}
          </span>
        )}
        {action === null ? null : (
          <span className="block text-t3">
            {action.note}
            {action.waits ? <span className="text-accent">, waits for you</span> : null}
          </span>
        )}
      </td>
      <td className={`${CELL} ${BROAD_ONLY}`}>{signal}</td>
      <td className={`${CELL} ${DESK_ONLY}`}>
        <ToldLines told={since} />
      </td>
      <td className={`${CELL} ${DESK_ONLY}`}>
        <ToldLines told={stillOn} />
      </td>
      <td className={`${CELL} text-right`} title={costUnknown ?? undefined}>
        <Rate {...props} />
      </td>
      <td className={`${CELL} text-right ${BROAD_ONLY}`} title={costUnknown ?? undefined}>
        {soFar ?? <span className="text-t3">{MISSING}</span>}
      </td>
      <td className={`${CELL} ${BROAD_ONLY}`}>{owner === null ? <span className="text-t3">Nobody</span> : <ToldLines told={owner} />}</td>
    </tr>
  );
}

function What({ mark, title, fullTitle, where, cause, chips, check, brief, action }: IncidentRowProps) {
  return (
    <span className="flex min-w-0 items-start gap-2.5">
      {check === undefined ? null : (
        <label className="-my-1.5 -ml-1.5 flex p-1.5 max-desk:hidden">
          <input
            type="checkbox"
            aria-label={check.label}
            checked={check.checked}
            onChange={check.onChange}
            className="m-0 mt-0.5 size-3.5 accent-accent"
          />
        </label>
      )}
      <span className="mt-1 flex">
        <SeverityShape mark={mark} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2 max-desk:flex-wrap">
          <span className={`${CLIP} min-w-0 text-body font-semibold max-desk:whitespace-normal`} title={fullTitle}>
            {title}
          </span>
          {chips === undefined ? null : <span className="flex flex-none gap-1.5">{chips}</span>}
        </span>
        <span className={`${CLIP} text-label text-t2`}>
          <span className="font-mono text-[11px]/[16px]">{where}</span>
          {cause === undefined ? null : <span title={cause}>{` · ${cause}`}</span>}
        </span>
        <span className="hidden text-label text-t3 max-desk:block">{brief}</span>
        {action === null ? null : (
          <span className="hidden max-desk:block">
            {action.text} <span className="text-t3">{action.note}</span>
          </span>
        )}
      </span>
    </span>
  );
}

function Rate({ rate, rateShare }: IncidentRowProps) {
  if (rate === null) return <UnknownWord />;
  return (
    <>
      <span className={rate === "0" ? "text-t3" : "text-lane font-semibold"}>{rate}</span>
      {rateShare === null ? null : (
        <span className="mt-[3px] block h-[3px] bg-press">
          <span className="ml-auto block h-[3px] bg-ink" style={{ width: `${Math.min(1, Math.max(0, rateShare)) * 100}%` }} />
        </span>
      )}
    </>
  );
}

function ToldLines({ told }: { readonly told: Told }) {
  return (
    <>
      <span className={CLIP}>{told.text}</span>
      {told.note === undefined ? null : <span className={`${CLIP} text-label text-t3`}>{told.note}</span>}
    </>
  );
}
