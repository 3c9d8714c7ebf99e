import type { FleetLayout } from "@trainwatch/core";
import { formatDuration, Notice, PartialNote, StaleNote } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { Play } from "./use-play.ts";

/** A node that has sent nothing for so long is not reporting: three scrapes a minute apart have failed to come. */
const SILENT_MS = 3 * 60_000;

/** What a reader must know before trusting the map. */
export function FleetNotices({ layout, play }: { readonly layout: FleetLayout; readonly play: Play }) {
  const { search } = useFleetSearch();
  const nowMs = useNow();
  const atMs = search.at === undefined ? nowMs : layout.atMs;
  const seen = layout.nodes.flatMap((node) => node.lastSampleAtMs ?? []);
  const newest = seen.length === 0 ? null : seen.reduce((a, b) => Math.max(a, b));
  const reporting = seen.filter((at) => atMs - at <= SILENT_MS).length;
  return (
    <>
      {search.at === undefined && newest !== null && nowMs - newest > SILENT_MS ? (
        <StaleNote age={formatDuration(nowMs - newest)}>No node is sending; the cells show nothing older than three minutes</StaleNote>
      ) : reporting < layout.nodes.length ? (
        <PartialNote present={reporting} total={layout.nodes.length} what="nodes reporting" />
      ) : null}
      {play.failure === null ? null : (
        <Notice mark="warning" lit>
          The window could not be played: {play.failure}
        </Notice>
      )}
    </>
  );
}
