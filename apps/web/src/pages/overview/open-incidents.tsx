import type { IncidentSummary } from "@trainwatch/core";
import { DeskOnly, EmptyState, KeyHint, Notice, Section } from "@trainwatch/ui";
import { useState } from "react";
import { IncidentList } from "../../incident-list/incident-list.tsx";
import { byCostRate } from "./by-cost-rate.ts";
import { Link } from "../../routing/link.tsx";

export interface OpenIncidentsProps {
  readonly incidents: readonly IncidentSummary[];
  readonly selected: number | undefined;
  readonly onSelect: (incidentId: number) => void;
}

export function OpenIncidents({ incidents, selected, onSelect }: OpenIncidentsProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <Section
      title="Open incidents"
      note="by cost rate, GPU-h per hour"
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
