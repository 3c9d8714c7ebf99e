import type { ReactNode } from "react";

/** Columns lost between a full desk and a phone, least needed first. */
const BROAD_ONLY = "max-broad:hidden";
const DESK_ONLY = "max-desk:hidden";
const EDGES = "px-2 first:pl-4 last:pr-4 max-desk:first:pl-3 max-desk:last:pr-3";
const HEAD = `border-b border-line py-1 text-left text-label font-normal whitespace-nowrap text-t3 max-desk:h-0 max-desk:border-0 max-desk:py-0 ${EDGES}`;
/** On a phone the heads are only heard: their cells keep the widths of the columns. */
const WORD = "max-desk:sr-only";

export interface IncidentTableProps {
  readonly label: string;
  /** What the preview line shows. */
  readonly signalHead: string;
  /** Rows have a check box before their shape. */
  readonly checks?: boolean | undefined;
  /** `IncidentRow`s. */
  readonly children: ReactNode;
}

/** Incidents, one row each, the same on the overview and in the inbox. On a phone two columns are left: what, and what it costs. */
export function IncidentTable({ label, signalHead, checks = false, children }: IncidentTableProps) {
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse text-note">
      <thead>
        <tr>
          <th scope="col" className={`${HEAD} ${checks ? "pl-[61px]! max-desk:pl-[37px]!" : "pl-[37px]!"}`}>
            <span className={WORD}>What and where</span>
          </th>
          <th scope="col" className={`${HEAD} w-[256px] max-broad:w-[220px] ${DESK_ONLY}`}>
            Suggested action
          </th>
          <th scope="col" className={`${HEAD} w-[144px] ${BROAD_ONLY}`}>
            {signalHead}
          </th>
          <th scope="col" className={`${HEAD} w-[116px] ${DESK_ONLY}`}>
            Since
          </th>
          <th scope="col" className={`${HEAD} w-[116px] ${DESK_ONLY}`}>
            Still on?
          </th>
          <th scope="col" className={`${HEAD} w-[96px] text-right max-desk:w-[92px]`}>
            <span className={WORD}>GPU-h per h</span>
          </th>
          <th scope="col" className={`${HEAD} w-[72px] text-right ${BROAD_ONLY}`}>
            So far
          </th>
          <th scope="col" className={`${HEAD} w-[108px] ${BROAD_ONLY}`}>
            Owner
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
