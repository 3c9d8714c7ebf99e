import type { Overview } from "@trainwatch/core";
import { formatDuration, formatGpuHours, formatInteger, Readout, ReadoutRow } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { rateNote, rateUnknownWord } from "./rate-words.ts";

export function OverviewReadouts({ overview }: { readonly overview: Overview }) {
  const { openTotals, gpusWatched, newestVerifiedCheckpoint: checkpoint } = overview;
  const { burning, gpuHoursPerHour } = openTotals;
  const nowMs = useNow();
  const status = dataOf(useStatus());
  const rateUnit = gpuHoursPerHour === null ? "" : `GPU-h per hour${gpusWatched === null ? "" : `, of ${formatInteger(gpusWatched)}`}`;
  return (
    <ReadoutRow label="At stake" leads>
      <Readout
        size="large"
        label={`At stake now, in ${formatInteger(burning)} ${burning === 1 ? "incident that burns" : "incidents that burn"} GPU time`}
        quantity={{ text: gpuHoursPerHour === null ? "–" : formatInteger(gpuHoursPerHour), unit: rateUnit }}
        note={rateNote(openTotals)}
        unknown={rateUnknownWord(openTotals)}
      />
      <Readout
        size="large"
        label="Open incidents"
        quantity={{ text: formatInteger(openTotals.total), unit: "" }}
        note={`${formatInteger(openTotals.untaken)} not acknowledged`}
      />
      <Readout
        size="large"
        label="Lost so far in open incidents"
        quantity={formatGpuHours(openTotals.gpuHoursSoFar)}
        note={
          openTotals.costUnknown === 0 || openTotals.gpuHoursSoFar === null
            ? undefined
            : `and ${formatInteger(openTotals.costUnknown)} more of unknown cost`
        }
        unknown="not known; each incident says why"
      />
      <Readout
        size="large"
        label="Runs reporting"
        quantity={{ text: formatInteger(status?.runsReporting ?? null), unit: "" }}
        note={status === null ? undefined : `of ${formatInteger(status.runsActive)} active`}
        unknown="waiting for the server"
      />
      <Readout
        size="large"
        label="Newest verified checkpoint"
        quantity={{ text: formatInteger(checkpoint?.step ?? null), unit: "" }}
        note={
          checkpoint === null
            ? undefined
            : [checkpoint.run, checkpoint.savedAtMs === null ? null : `${formatDuration(Math.max(0, nowMs - checkpoint.savedAtMs))} old`]
                .filter((part) => part !== null)
                .join(" · ")
        }
        unknown="none is verified"
      />
    </ReadoutRow>
  );
}
