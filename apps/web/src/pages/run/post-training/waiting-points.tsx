import { LivePill } from "@trainwatch/ui";
import { without } from "../search.ts";
import { useShownView } from "../shown-view.tsx";
import { useRunSearch } from "../use-run-search.ts";

/** Points that have come in while the reader looked: shown when asked for. */
export function WaitingPoints() {
  const { waiting } = useShownView();
  const { go } = useRunSearch();
  return <LivePill count={waiting} onShow={() => go((before) => without(before, "to"))} />;
}
