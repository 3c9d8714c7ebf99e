import { formatDuration, PartialNote, StaleNote } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";

/** Says when what is below rests on old or missing data: absence is never health. */
export function DataHealth() {
  const status = dataOf(useStatus());
  const nowMs = useNow();
  if (status === null || status.runsActive === 0 || status.runsReporting >= status.runsActive) return null;
  if (status.runsReporting === 0 && status.newestRunSampleAtMs !== null) {
    return (
      <StaleNote age={formatDuration(Math.max(0, nowMs - status.newestRunSampleAtMs))}>
        No active run is sending. What is below is from before.
      </StaleNote>
    );
  }
  return <PartialNote present={status.runsReporting} total={status.runsActive} what="active runs are sending" />;
}
