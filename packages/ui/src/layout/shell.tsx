import type { ReactNode } from "react";

export interface ShellProps {
  readonly top: ReactNode;
  /** The page. */
  readonly children: ReactNode;
  readonly status: ReactNode;
  /** Words of navigation on a phone. */
  readonly foot: ReactNode;
}

/** Top bar, page, status line: the status line never hides. The first tab stop leads past the navigation. */
export function Shell({ top, children, status, foot }: ShellProps) {
  return (
    <div className="flex min-h-screen flex-col">
      <a href="#page" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-2 focus:text-accent">
        Skip to the page
      </a>
      {top}
      {children}
      {status}
      {foot}
    </div>
  );
}

/** The one main landmark of a page. */
export function Page({ children, label }: { readonly children: ReactNode; readonly label?: string | undefined }) {
  return (
    <main id="page" tabIndex={-1} aria-label={label} className="flex min-w-0 flex-1 flex-col outline-none">
      {children}
    </main>
  );
}
