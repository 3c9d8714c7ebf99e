import type { IncidentDetail, TimelineEntry } from "@trainwatch/core";
import { Button, DeskOnly, formatCount, formatInteger, KeyHint, Markdown, Section, Timeline, TimelineItem, zoneName } from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { useNow } from "../../clock/now.tsx";
import { CommentDialog } from "../../incident-actions/comment-dialog.tsx";
import { useKeys } from "../../keys/keys.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { inOrder } from "./in-order.ts";
import { useZone } from "../../zone/zone.tsx";

/** Newest so many at a glance; an incident of a fabric has hundreds of entries. */
const AT_A_GLANCE = 60;

/** What happened and who did it; what still waits stands last. */
export function IncidentTimeline({ incident }: { readonly incident: IncidentDetail }) {
  const nowMs = useNow();
  const { zone } = useZone();
  const [isCommenting, setCommenting] = useState(false);
  const waits = incident.action !== null && incident.action.decision === null && incident.state !== "resolved";
  const fold = useFold(inOrder(incident.timeline).toReversed(), AT_A_GLANCE);
  const comment = (): void => setCommenting(true);
  const isItsOwn = incident.mergedInto === null;
  useKeys(isItsOwn ? [{ keys: "c", label: "Comment on this incident", group: "Lists", run: comment }] : []);
  return (
    <Section
      title="Timeline"
      note={`${incident.timelineTotal > incident.timeline.length ? `the newest ${formatInteger(incident.timeline.length)} of ` : ""}${formatCount(incident.timelineTotal, "entry", "entries")}, times in ${zoneName(zone, nowMs)}`}
      trailing={
        isItsOwn ? (
          <Button size="small" kind="quiet" onClick={comment}>
            Add a comment…{" "}
            <DeskOnly>
              <KeyHint keys="c" />
            </DeskOnly>
          </Button>
        ) : undefined
      }
      plain
    >
      <MoreButton fold={fold} noun="earlier entry" plural="earlier entries" />
      <Timeline label="Timeline">
        {fold.shown.toReversed().map((entry, index) => (
          <TimelineItem
            key={`${entry.kind}-${entry.atMs ?? entry.step ?? ""}-${index}`}
            at={<EntryTime entry={entry} />}
            actor={entry.actor}
          >
            {entry.kind === "comment" ? <Markdown source={entry.text} /> : entry.text}
          </TimelineItem>
        ))}
        {waits ? (
          <TimelineItem at="now" actor="" open>
            waits for a decision{incident.owner === null ? "" : ` by ${incident.owner}`}
          </TimelineItem>
        ) : null}
      </Timeline>
      {isCommenting ? <CommentDialog incidentId={incident.id} onClose={() => setCommenting(false)} /> : null}
    </Section>
  );
}

/** Its time, or its step where the log has no times. */
function EntryTime({ entry }: { readonly entry: TimelineEntry }) {
  if (entry.atMs !== null) return <When ms={entry.atMs} show="moment" />;
  return <>{entry.step === null ? "–" : `step ${formatInteger(entry.step)}`}</>;
}
