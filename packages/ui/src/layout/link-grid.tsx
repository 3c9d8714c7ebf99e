import type { ReactNode } from "react";

/** Rows of small pictures that share a scale, each with its name: four to a line on a broad screen. */
export function LinkGrid({ children }: { readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-2 px-4 pt-1 pb-3 max-desk:px-3 desk:grid-cols-2 broad:grid-cols-[repeat(auto-fill,minmax(300px,1fr))]">
      {children}
    </div>
  );
}

export function LinkGridRow({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="pb-1 text-label text-t2">{title}</h3>
      {children}
    </div>
  );
}
