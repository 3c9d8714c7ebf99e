import type { IncidentSummary } from "@trainwatch/core";
import { DeskOnly, EmptyState, formatInteger, KeyHint, Notice, Section } from "@trainwatch/ui";
import { useState } from "react";
import { IncidentList } from "../../incident-list/incident-list.tsx";
import { byCostRate } from "./by-cost-rate.ts";
import { Link } from "../../routing/link.tsx";

export interface OpenIncidentsProps {
  readonly incidents: readonly IncidentSummary[];
  /** All that are open; the list may hold only the first of them. */
  readonly total: number;
  readonly selected: number | undefined;
  readonly onSelect: (incidentId: number) => void;
}

export function OpenIncidents({ incidents, total, selected, onSelect }: OpenIncidentsProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <Section
      title="Open incidents"
      note={`by cost rate, GPU-h per hour${incidents.length < total ? `; the first ${formatInteger(incidents.length)} of ${formatInteger(total)}` : ""}`}
      trailing={
        <>
          <DeskOnly>
            <span>
              <KeyHint keys="j k" /> move
            </span>
            <span>
              <KeyHint keys="e" /> acknowledge
            </span>
          </DeskOnly>
          <Link to="/incidents">All incidents</Link>
        </>
      }
    >
      {refusal === null ? null : (
        <Notice mark="warning" lit>
          {refusal}
        </Notice>
      )}
      {incidents.length === 0 ? (
        <EmptyState title="No open incident">
          Detectors have nothing open. What they cannot see is counted at the foot of the page.
        </EmptyState>
      ) : (
        <IncidentList
          incidents={byCostRate(incidents)}
          label="Open incidents"
          selected={selected}
          onSelect={onSelect}
          onRefused={setRefusal}
        />
      )}
    </Section>
  );
}
