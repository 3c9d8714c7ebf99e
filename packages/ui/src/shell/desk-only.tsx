import type { ReactNode } from "react";

/** Left out under 720 px: hints of keys that a phone does not have, second-rank links. */
export function DeskOnly({ children }: { readonly children: ReactNode }) {
  return <span className="contents max-desk:hidden">{children}</span>;
}
