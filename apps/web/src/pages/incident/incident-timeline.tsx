import type { IncidentDetail, TimelineEntry } from "@trainwatch/core";
import { formatCount, formatInteger, Section, Timeline, TimelineItem, zoneName } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { useNow } from "../../clock/now.tsx";
import { inOrder } from "./in-order.ts";
import { useZone } from "../../zone/zone.tsx";

/** What happened and who did it; what still waits stands last. */
export function IncidentTimeline({ incident }: { readonly incident: IncidentDetail }) {
  const nowMs = useNow();
  const { zone } = useZone();
  const waits = incident.action !== null && incident.action.decision === null && incident.state !== "resolved";
  return (
    <Section
      title="Timeline"
      note={`${formatCount(incident.timeline.length, "entry", "entries")}, times in ${zoneName(zone, nowMs)}`}
      plain
    >
      <Timeline label="Timeline">
        {inOrder(incident.timeline).map((entry, index) => (
          <TimelineItem key={`${entry.kind}-${index}`} at={<EntryTime entry={entry} />} actor={entry.actor}>
            {entry.text}
          </TimelineItem>
        ))}
        {waits ? (
          <TimelineItem at="now" actor="" open>
            waits for a decision{incident.owner === null ? "" : ` by ${incident.owner}`}
          </TimelineItem>
        ) : null}
      </Timeline>
    </Section>
  );
}

/** Its time, or its step where the log has no times. */
function EntryTime({ entry }: { readonly entry: TimelineEntry }) {
  if (entry.atMs !== null) return <When ms={entry.atMs} show="moment" />;
  return <>{entry.step === null ? "–" : `step ${formatInteger(entry.step)}`}</>;
}
