import type { Overview } from "@trainwatch/core";
import { formatDuration, formatGpuHours, formatInteger, Readout, ReadoutRow } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { dataOf } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { isUntaken } from "../../words/incident-words.ts";
import { knownCost } from "./known-cost.ts";

export function OverviewReadouts({ overview }: { readonly overview: Overview }) {
  const { incidents, gpusWatched, newestVerifiedCheckpoint: checkpoint } = overview;
  // The server knows no rate without an incident; nothing open is nothing at stake.
  const gpuHoursPerHour = incidents.length === 0 ? 0 : overview.gpuHoursPerHour;
  const nowMs = useNow();
  const status = dataOf(useStatus());
  const burning = incidents.filter((incident) => (incident.gpuHoursPerHour ?? 0) > 0).length;
  const lost = knownCost(incidents.map((incident) => incident.gpuHoursSoFar));
  const rateUnit = gpuHoursPerHour === null ? "" : `GPU-h per hour${gpusWatched === null ? "" : `, of ${formatInteger(gpusWatched)}`}`;
  return (
    <ReadoutRow label="At stake" leads>
      <Readout
        size="large"
        label={`At stake now, in ${formatInteger(burning)} ${burning === 1 ? "incident that burns" : "incidents that burn"} GPU time`}
        quantity={{ text: gpuHoursPerHour === null ? "–" : formatInteger(gpuHoursPerHour), unit: rateUnit }}
        unknown="no run says how many GPUs it has"
      />
      <Readout
        size="large"
        label="Open incidents"
        quantity={{ text: formatInteger(incidents.length), unit: "" }}
        note={`${formatInteger(incidents.filter(isUntaken).length)} not acknowledged`}
      />
      <Readout
        size="large"
        label="Lost so far in open incidents"
        quantity={formatGpuHours(lost.total)}
        note={lost.unknown === 0 ? undefined : `and ${formatInteger(lost.unknown)} more of unknown cost`}
        unknown="GPUs or step time are not known"
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
