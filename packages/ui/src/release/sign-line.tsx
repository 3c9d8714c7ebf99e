import type { ReactNode } from "react";
import { SeverityShape } from "../primitives/severity-shape.tsx";

export interface SignLineProps {
  readonly role: string;
  /** Null: nobody has signed in this role. */
  readonly name: string | null;
  readonly trailing: ReactNode;
}

/** A role, who has signed in it and when; a ring where it waits. */
export function SignLine({ role, name, trailing }: SignLineProps) {
  return (
    <li className="grid grid-cols-[11px_84px_minmax(0,1fr)_auto] items-center gap-2 text-note leading-5">
      {name === null ? <SeverityShape mark="pending" label="waiting" /> : <SeverityShape mark="ok" label="signed" />}
      <span className="overflow-hidden text-ellipsis whitespace-nowrap text-t2" title={role}>
        {role}
      </span>
      <span className="overflow-hidden text-ellipsis whitespace-nowrap" title={name ?? undefined}>
        {name ?? ""}
      </span>
      <span className="text-t3">{trailing}</span>
    </li>
  );
}

export function SignList({ children }: { readonly children: ReactNode }) {
  return (
    <ul aria-label="Signatures" className="m-0 list-none p-0">
      {children}
    </ul>
  );
}
