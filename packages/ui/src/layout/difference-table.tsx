import type { ReactNode } from "react";
import { SeverityShape } from "../primitives/severity-shape.tsx";

/** Attributes of a chosen group beside those of the others: a line each, two bars on one scale. */
export function DifferenceTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full border-collapse text-note">
      <thead className="sr-only">
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Chosen</th>
          <th scope="col">Others</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface Side {
  /** 0 to 1. */
  readonly share: number;
  /** "7 of 8 GPUs". */
  readonly text: string;
}

export interface DifferenceRowProps {
  readonly name: string;
  readonly value: string;
  /** Chance hardly explains it. */
  readonly clear: boolean;
  readonly own: Side;
  readonly others: Side;
  /** Why it may be another attribute instead. */
  readonly note: string | null;
  /** The difference with its interval, on hover. */
  readonly title: string;
}

export function DifferenceRow({ name, value, clear, own, others, note, title }: DifferenceRowProps) {
  return (
    <tr title={title} className="border-b border-line align-top">
      <th scope="row" className="w-[44%] py-1.5 pr-2 pl-4 text-left font-normal max-desk:pl-3">
        <span className="flex items-baseline gap-1.5">
          {clear ? <SeverityShape mark="warning" size={9} label="differs" /> : null}
          <span className="text-t2">{name}</span>
        </span>
        <span className="font-semibold [overflow-wrap:anywhere]">{value}</span>
        {note === null ? null : <span className="block text-label text-t3">{note}</span>}
      </th>
      <td className="py-1.5 pr-2">
        <Bar side={own} ink={clear ? "var(--crit)" : "var(--ink)"} />
      </td>
      <td className="py-1.5 pr-4 max-desk:pr-3">
        <Bar side={others} ink="var(--ink-2)" />
      </td>
    </tr>
  );
}

const BAR_PX = 64;

function Bar({ side, ink }: { readonly side: Side; readonly ink: string }) {
  return (
    <>
      <svg width={BAR_PX} height="5" aria-hidden="true" className="mt-1.5 block">
        <rect width={BAR_PX} height="5" fill="var(--press)" />
        <rect width={Math.max(side.share > 0 ? 1 : 0, BAR_PX * side.share)} height="5" fill={ink} />
      </svg>
      <span className="text-label whitespace-nowrap text-t3">{side.text}</span>
    </>
  );
}
