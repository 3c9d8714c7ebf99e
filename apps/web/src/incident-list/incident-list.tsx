import { IncidentRow, IncidentTable, Sparkline, type Told } from "@trainwatch/ui";
import { useNavigate } from "@tanstack/react-router";
import type { IncidentSummary } from "@trainwatch/core";
import { formatGpuHours, formatInteger } from "@trainwatch/ui";
import { When } from "../clock/when.tsx";
import { useNow } from "../clock/now.tsx";
import { Link } from "../routing/link.tsx";
import { useIncidentVerbs } from "../data/incidents.ts";
import { useRowSelection } from "../keys/row-selection.ts";
import { useRefusal } from "./use-refusal.ts";
import { ageWord, briefWord, confidenceWord, isUntaken, stillOnWord, whereWord } from "../words/incident-words.ts";

export interface IncidentListProps {
  readonly incidents: readonly IncidentSummary[];
  readonly label: string;
  readonly selected: number | undefined;
  readonly onSelect: (incidentId: number) => void;
  /** A refusal to acknowledge is told here. */
  readonly onRefused: (message: string | null) => void;
}

/** Incidents with `j`, `k`, `Enter` and `e`; the same on the overview and in the inbox. */
export function IncidentList({ incidents, label, selected, onSelect, onRefused }: IncidentListProps) {
  const navigate = useNavigate();
  const { acknowledge } = useIncidentVerbs();
  const open = (incidentId: number): void => void navigate({ to: "/incidents/$incidentId", params: { incidentId } });
  const take = (incidentId: number): void => {
    const incident = incidents.find((candidate) => candidate.id === incidentId);
    if (incident !== undefined && isUntaken(incident)) acknowledge.send({ incidentId });
  };
  const rowRef = useRowSelection({
    ids: incidents.map((incident) => incident.id),
    selected,
    onSelect,
    onOpen: open,
    noun: "incident",
    more: [{ keys: "e", label: "Acknowledge the selected incident", run: take }],
  });
  const largestRate = Math.max(0, ...incidents.map((incident) => incident.gpuHoursPerHour ?? 0));
  useRefusal(acknowledge.failure?.message ?? null, onRefused);
  return (
    <IncidentTable label={label} signalHead="Signal">
      {incidents.map((incident) => (
        <IncidentLine
          key={incident.id}
          incident={incident}
          largestRate={largestRate}
          selected={incident.id === selected}
          rowRef={rowRef(incident.id)}
          onOpen={() => open(incident.id)}
        />
      ))}
    </IncidentTable>
  );
}

interface IncidentLineProps {
  readonly incident: IncidentSummary;
  readonly largestRate: number;
  readonly selected: boolean;
  readonly rowRef: (row: HTMLElement | null) => void;
  readonly onOpen: () => void;
}

function IncidentLine({ incident, largestRate, selected, rowRef, onOpen }: IncidentLineProps) {
  const nowMs = useNow();
  const { action, gpuHoursPerHour: rate } = incident;
  const [isOn = "", how] = stillOnWord(incident).split(", ");
  return (
    <IncidentRow
      mark={incident.severity}
      title={
        <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} look="plain">
          {incident.title}
        </Link>
      }
      where={whereWord(incident)}
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
      owner={
        incident.owner === null
          ? null
          : {
              text: incident.owner,
              note:
                incident.acknowledgedAtMs === null ? undefined : (
                  <>
                    ack <When ms={incident.acknowledgedAtMs} show="moment" />
                  </>
                ),
            }
      }
      brief={briefWord(incident, nowMs)}
    />
  );
}

/** Step and time where known; a log without times has only its step, and then the age is that of the incident. */
function sinceOf(incident: IncidentSummary, nowMs: number): Told {
  const step = incident.onsetStep === null ? null : `step ${formatInteger(incident.onsetStep)}`;
  if (incident.onsetTimeMs === null) return { text: step ?? "unknown", note: `opened ${ageWord(incident, nowMs)} ago` };
  return { text: <When ms={incident.onsetTimeMs} show="moment" />, note: ageWord(incident, nowMs) };
}
