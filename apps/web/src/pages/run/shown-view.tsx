import { createContext, use, useMemo, useState, type ReactNode } from "react";
import type { OpenRange } from "./zoom.ts";

/** What the charts really show where the URL leaves an end open: on their axis, and in steps. */
export interface ShownView {
  readonly ends: OpenRange;
  readonly steps: { readonly from: number; readonly to: number } | null;
  /** Points that have come in and wait to be shown. */
  readonly waiting: number;
}

interface ShownViewState {
  readonly view: ShownView;
  readonly tell: (view: ShownView) => void;
}

const NOTHING: ShownView = { ends: { from: null, to: null }, steps: null, waiting: 0 };
const ShownViewContext = createContext<ShownViewState>({ view: NOTHING, tell: () => undefined });

/** Told by the charts; read by the share link and the attempts strip above them. */
export function ShownViewProvider({ children }: { readonly children: ReactNode }) {
  const [view, setView] = useState(NOTHING);
  const state = useMemo(() => ({ view, tell: (next: ShownView) => setView((before) => (same(before, next) ? before : next)) }), [view]);
  return <ShownViewContext value={state}>{children}</ShownViewContext>;
}

function same(a: ShownView, b: ShownView): boolean {
  return (
    a.ends.from === b.ends.from &&
    a.ends.to === b.ends.to &&
    a.steps?.from === b.steps?.from &&
    a.steps?.to === b.steps?.to &&
    a.waiting === b.waiting
  );
}

export function useShownView(): ShownView {
  return use(ShownViewContext).view;
}

export function useTellShownView(): (view: ShownView) => void {
  return use(ShownViewContext).tell;
}
