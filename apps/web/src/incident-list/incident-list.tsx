import { useNavigate } from "@tanstack/react-router";
import type { IncidentSummary } from "@trainwatch/core";
import {
  Chip,
  formatGpuHours,
  formatInteger,
  IncidentRow,
  IncidentTable,
  Sparkline,
  type IncidentRowProps,
  type Told,
} from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../clock/when.tsx";
import { useNow } from "../clock/now.tsx";
import { Link } from "../routing/link.tsx";
import { useIncidentVerbs } from "../data/incidents.ts";
import { AskedActionDialog, type AskedAction } from "../incident-actions/asked-action.tsx";
import { useKeys } from "../keys/keys.tsx";
import { useRowSelection } from "../keys/row-selection.ts";
import { useRefusal } from "./use-refusal.ts";
import { causeLine } from "../words/cause-words.ts";
import { LABEL_WORDS } from "../words/label-words.ts";
import { shortIds } from "../words/short-ids.ts";
import { ageWord, briefWord, confidenceWord, isUntaken, stillOnWord, whereWord } from "../words/incident-words.ts";

export interface IncidentListProps {
  readonly incidents: readonly IncidentSummary[];
  readonly label: string;
  readonly selected: number | undefined;
  readonly onSelect: (incidentId: number) => void;
  /** A refusal to acknowledge is told here. */
  readonly onRefused: (message: string | null) => void;
  /** Rows marked for what is done to several at once; left out, they have no boxes. */
  readonly batch?: {
    readonly marked: ReadonlySet<number>;
    readonly onToggle: (incidentId: number) => void;
    readonly onAcknowledge: () => void;
  };
}

/** Incidents with `j`, `k`, `Enter`, `e`, `a` and `s`; the same on the overview and in the inbox, where `x` marks several. */
export function IncidentList({ incidents, label, selected, onSelect, onRefused, batch }: IncidentListProps) {
  const [asked, setAsked] = useState<{ readonly incidentId: number; readonly action: AskedAction } | null>(null);
  const navigate = useNavigate();
  const { acknowledge } = useIncidentVerbs();
  const open = (incidentId: number): void => void navigate({ to: "/incidents/$incidentId", params: { incidentId } });
  const find = (incidentId: number): IncidentSummary | undefined => incidents.find((candidate) => candidate.id === incidentId);
  const take = (incidentId: number): void => {
    const incident = find(incidentId);
    if (incident !== undefined && isUntaken(incident)) acknowledge.send({ incidentId });
  };
  const ask =
    (action: AskedAction) =>
    (incidentId: number): void => {
      if (find(incidentId)?.state !== "resolved") setAsked({ incidentId, action });
    };
  const askedIncident = asked === null ? undefined : find(asked.incidentId);
  const rowRef = useRowSelection({
    ids: incidents.map((incident) => incident.id),
    selected,
    onSelect,
    onOpen: open,
    noun: "incident",
    more: [
      { keys: "e", label: "Acknowledge the selected incident", run: take },
      { keys: "a", label: "Assign the selected incident", run: ask("assign") },
      { keys: "s", label: "Snooze the selected incident", run: ask("snooze") },
      ...(batch === undefined ? [] : [{ keys: "x", label: "Mark the selected incident", run: batch.onToggle }]),
    ],
  });
  // What is marked goes before what is only selected.
  useKeys(
    batch === undefined || batch.marked.size === 0
      ? []
      : [{ keys: "e", label: "Acknowledge the marked incidents", group: "Lists", run: batch.onAcknowledge }],
  );
  const largestRate = Math.max(0, ...incidents.map((incident) => incident.gpuHoursPerHour ?? 0));
  useRefusal(acknowledge.failure?.message ?? null, onRefused);
  return (
    <>
      <IncidentTable label={label} signalHead="Signal" checks={batch !== undefined}>
        {incidents.map((incident) => (
          <IncidentLine
            key={incident.id}
            incident={incident}
            largestRate={largestRate}
            selected={incident.id === selected}
            rowRef={rowRef(incident.id)}
            onOpen={() => open(incident.id)}
            check={
              batch === undefined
                ? undefined
                : { label: `Mark #${incident.id}`, checked: batch.marked.has(incident.id), onChange: () => batch.onToggle(incident.id) }
            }
          />
        ))}
      </IncidentTable>
      {asked === null || askedIncident === undefined ? null : (
        <AskedActionDialog incident={askedIncident} asked={asked.action} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface IncidentLineProps {
  readonly incident: IncidentSummary;
  readonly largestRate: number;
  readonly selected: boolean;
  readonly rowRef: (row: HTMLElement | null) => void;
  readonly onOpen: () => void;
  readonly check: IncidentRowProps["check"];
}

function IncidentLine({ incident, largestRate, selected, rowRef, onOpen, check }: IncidentLineProps) {
  const nowMs = useNow();
  const { action, gpuHoursPerHour: rate } = incident;
  const [isOn = "", how] = stillOnWord(incident).split(", ");
  return (
    <IncidentRow
      mark={incident.severity}
      title={
        <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} look="plain">
          {shortIds(incident.title)}
        </Link>
      }
      fullTitle={incident.title}
      where={whereWord(incident)}
      cause={incident.cause === null ? undefined : causeLine(incident.cause)}
      chips={<IncidentChips incident={incident} />}
      check={check}
      selected={selected}
      rowRef={rowRef}
      onOpen={onOpen}
      action={
        action === null
          ? null
          : {
              text: action.text,
              note: action.decision ?? confidenceWord(action.confidence),
              waits: action.decision === null && incident.state !== "resolved",
            }
      }
      signal={<Sparkline data={incident.signal} label={`Signal of ${incident.title}`} tone={incident.severity} />}
      since={sinceOf(incident, nowMs)}
      stillOn={{ text: isOn, note: incident.state === "resolved" ? "resolved" : how }}
      rate={rate === null ? null : formatInteger(rate)}
      rateShare={rate === null || largestRate === 0 ? null : rate / largestRate}
      costUnknown={incident.costUnknown}
      soFar={incident.gpuHoursSoFar === null ? null : formatGpuHours(incident.gpuHoursSoFar).text}
      owner={ownerOf(incident)}
      brief={briefWord(incident, nowMs)}
    />
  );
}

/** What sets it apart from a fault that is new and was never looked at. */
function IncidentChips({ incident: { state, flaps, regressionOf, label } }: { readonly incident: IncidentSummary }) {
  return (
    <>
      {state === "snoozed" ? <Chip>snoozed</Chip> : null}
      {flaps === 0 ? null : <Chip tone="warning">{`flapping ×${formatInteger(flaps)}`}</Chip>}
      {regressionOf === null ? null : <Chip tone="warning">{`regression of #${regressionOf}`}</Chip>}
      {label === null ? null : <Chip tone={label === "wrong" ? "warning" : "plain"}>{`alarm: ${LABEL_WORDS[label].toLowerCase()}`}</Chip>}
    </>
  );
}

/** Who has it, and since or until when; a snoozed one that nobody has says so too. */
function ownerOf({ owner, state, snoozedUntilMs, acknowledgedAtMs }: IncidentSummary): Told | null {
  const note =
    state === "snoozed" && snoozedUntilMs !== null ? (
      <>
        until <When ms={snoozedUntilMs} show="moment" />
      </>
    ) : acknowledgedAtMs !== null ? (
      <>
        ack <When ms={acknowledgedAtMs} show="moment" />
      </>
    ) : owner === null ? undefined : (
      "not acknowledged"
    );
  return owner === null && note === undefined ? null : { text: owner ?? "Nobody", note };
}

/** Step and time where known; a log without times has only its step, and then the age is that of the incident. */
function sinceOf(incident: IncidentSummary, nowMs: number): Told {
  const step = incident.onsetStep === null ? null : `step ${formatInteger(incident.onsetStep)}`;
  if (incident.onsetTimeMs === null) return { text: step ?? "unknown", note: `opened ${ageWord(incident, nowMs)} ago` };
  return { text: <When ms={incident.onsetTimeMs} show="moment" />, note: ageWord(incident, nowMs) };
}
