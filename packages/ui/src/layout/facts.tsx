import type { ReactNode } from "react";

/** Names and values of one thing, aligned. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="m-0 grid grid-cols-[100px_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-2.5 text-note max-desk:px-3">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-t3">{name}</dt>
      <dd className="m-0 min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
