import type { ReactNode } from "react";
import { useIsCut } from "../primitives/use-is-cut.ts";

const ASIDE = {
  rail: "desk:grid-cols-[minmax(0,1fr)_clamp(220px,24vw,320px)]",
  wide: "desk:grid-cols-[minmax(0,1fr)_372px]",
  evidence: "desk:grid-cols-[minmax(0,1fr)_minmax(372px,540px)]",
} as const;

export interface ColumnsProps {
  readonly children: ReactNode;
  readonly aside: ReactNode;
  readonly asideLabel: string;
  readonly size?: keyof typeof ASIDE | undefined;
  /** The rail is as tall as the main column and scrolls by itself, so that a long list does not stretch the page. */
  readonly scroll?: boolean | undefined;
}

/** A main column and a rail, parted by a hairline; stacked in this order under 720 px. */
export function Columns({ children, aside, asideLabel, size = "rail", scroll = false }: ColumnsProps) {
  return (
    <div className={`grid flex-1 grid-cols-[minmax(0,1fr)] ${ASIDE[size]}`}>
      <div className="flex min-w-0 flex-col border-line desk:border-r">{children}</div>
      <aside aria-label={asideLabel} className="relative flex min-w-0 flex-col max-desk:border-t max-desk:border-line">
        {scroll ? <ScrollingRail label={asideLabel}>{aside}</ScrollingRail> : aside}
      </aside>
    </div>
  );
}

function ScrollingRail({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [ref, isCut] = useIsCut("down");
  const stop = isCut ? { tabIndex: 0, role: "region", "aria-label": `${label}, scrolls` } : {};
  return (
    <div ref={ref} {...stop} className="flex flex-col desk:absolute desk:inset-0 desk:overflow-y-auto">
      {children}
    </div>
  );
}

/** Equal columns parted by hairlines; one below the other under 720 px. `grow` takes the room that is left below. */
export function EqualColumns({ children, grow = false }: { readonly children: ReactNode; readonly grow?: boolean | undefined }) {
  return (
    <div
      className={`grid ${grow ? "flex-1" : "flex-none"} desk:auto-cols-fr desk:grid-flow-col desk:[&>*+*]:border-l desk:[&>*+*]:border-line max-desk:[&>*+*]:border-t max-desk:[&>*+*]:border-line`}
    >
      {children}
    </div>
  );
}
