import type { ReactNode } from "react";

/** Instruments of one thing: name, value, and how far it lies from its peers. */
export function ReadingList({ label, peers, children }: { readonly label: string; readonly peers: string; readonly children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full border-collapse text-note leading-5 whitespace-nowrap">
      <thead className="sr-only">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Reading</th>
          <th scope="col">{peers}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export interface ReadingLineProps {
  readonly name: string;
  readonly title?: string | undefined;
  readonly value: ReactNode;
  /** "+7.2"; left out where it cannot be compared. */
  readonly deviation?: string | undefined;
  /** Far from its peers, or a fault by itself. */
  readonly lit?: boolean | undefined;
}

export function ReadingLine({ name, title, value, deviation, lit = false }: ReadingLineProps) {
  return (
    <tr>
      <th scope="row" title={title} className="max-w-[170px] overflow-hidden pr-3 text-left font-normal text-ellipsis text-t2">
        {name}
      </th>
      <td className="text-right font-semibold">{value}</td>
      <td className={`w-14 text-right ${lit ? "text-crit-ink" : "text-t3"}`}>{deviation ?? ""}</td>
    </tr>
  );
}
