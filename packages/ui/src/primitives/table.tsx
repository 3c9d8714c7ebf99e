import type { KeyboardEvent, ReactNode } from "react";
import { useIsCut } from "./use-is-cut.ts";

export interface TableProps {
  /** What the table lists, for a reader. */
  readonly label: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
  /** `tight` rows are 24 px: rollback tables and the like; `narrow` ones have half the room between columns too: tables of a rail. */
  readonly density?: "regular" | "tight" | "narrow" | undefined;
}

/** Text left, numbers right, rules between rows only. On a narrow screen it scrolls inside its own frame. */
export function Table({ label, head, children, density = "regular" }: TableProps) {
  const [ref, isCut] = useIsCut("across");
  const stop = isCut ? { tabIndex: 0, role: "region", "aria-label": `${label}, scrolls sideways` } : {};
  return (
    <div ref={ref} {...stop} className="w-full overflow-x-auto">
      <table aria-label={label} data-density={density} className="group/table w-full border-collapse text-note">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface HeadCellProps {
  readonly children?: ReactNode;
  readonly numeric?: boolean | undefined;
  /** Left out under 720 px. */
  readonly wide?: boolean | undefined;
  readonly title?: string | undefined;
  readonly widthPx?: number | undefined;
}

const EDGES =
  "px-2 first:pl-4 last:pr-4 max-desk:first:pl-3 max-desk:last:pr-3 group-data-[density=narrow]/table:not-first:pl-1 group-data-[density=narrow]/table:not-last:pr-1";

export function HeadCell({ children, numeric, wide, title, widthPx }: HeadCellProps) {
  return (
    <th
      scope="col"
      title={title}
      {...(widthPx === undefined ? {} : { style: { width: widthPx } })}
      className={`border-b border-line py-1 align-bottom text-label font-normal whitespace-nowrap text-t3 ${numeric === true ? "text-right" : "text-left"} ${wide === true ? "max-desk:hidden" : ""} ${EDGES}`}
    >
      {children}
    </th>
  );
}

export interface RowProps {
  readonly children: ReactNode;
  readonly selected?: boolean | undefined;
  /** Refused or missing rows stay in place, in the label ink. */
  readonly muted?: boolean | undefined;
  /** What a click or Enter on the row does; the same must be reachable by a link inside it. */
  readonly onOpen?: (() => void) | undefined;
  readonly rowRef?: ((row: HTMLTableRowElement | null) => void) | undefined;
}

export function Row({ children, selected = false, muted = false, onOpen, rowRef }: RowProps) {
  const openable =
    onOpen === undefined
      ? {}
      : {
          onClick: onOpen,
          onKeyDown: (event: KeyboardEvent) => (event.key === "Enter" && event.target === event.currentTarget ? onOpen() : undefined),
        };
  return (
    <tr
      ref={rowRef}
      data-selected={selected}
      {...openable}
      className={`border-b border-line last:border-b-0 ${muted ? "text-t3" : ""} ${selected ? "bg-accent-wash [&>td:first-child]:shadow-[inset_2px_0_var(--accent)]" : "hover:bg-raise"} ${onOpen === undefined ? "" : "cursor-pointer"}`}
    >
      {children}
    </tr>
  );
}

export interface CellProps {
  readonly children?: ReactNode;
  readonly numeric?: boolean | undefined;
  readonly wide?: boolean | undefined;
  readonly bold?: boolean | undefined;
  readonly mono?: boolean | undefined;
  readonly span?: number | undefined;
  /** Text may take several lines. */
  readonly wrap?: boolean | undefined;
  /** A second line, in the label ink: the row becomes 52 px. */
  readonly sub?: ReactNode;
  readonly title?: string | undefined;
  /** Cut with "…" at this width. */
  readonly maxWidthPx?: number | undefined;
  /** Takes what the other columns leave, this much at least; what does not fit is cut by what is inside. */
  readonly fillFromPx?: number | undefined;
}

export function Cell({ children, numeric, wide, bold, mono, span, wrap, sub, title, maxWidthPx, fillFromPx }: CellProps) {
  const classes = [
    numeric === true ? "text-right" : "",
    wide === true ? "max-desk:hidden" : "",
    bold === true ? "font-semibold" : "",
    mono === true ? "font-mono text-[0.92em]" : "",
    wrap === true ? "" : "whitespace-nowrap",
    maxWidthPx === undefined ? "" : "overflow-hidden text-ellipsis",
    sub === undefined
      ? "h-7 py-[5px] group-data-[density=tight]/table:h-6 group-data-[density=tight]/table:py-[3px] group-data-[density=narrow]/table:h-6 group-data-[density=narrow]/table:py-[3px]"
      : "h-[52px] py-1.5",
  ];
  return (
    <td
      colSpan={span}
      title={title}
      {...(maxWidthPx === undefined ? {} : { style: { maxWidth: maxWidthPx } })}
      {...(fillFromPx === undefined ? {} : { style: { width: "100%", maxWidth: 0, minWidth: fillFromPx } })}
      className={`${classes.filter(Boolean).join(" ")} ${EDGES}`}
    >
      {children}
      {sub === undefined ? null : <div className="text-label font-normal text-t3">{sub}</div>}
    </td>
  );
}
