import { getRouteApi } from "@tanstack/react-router";
import type { IncidentDetail } from "@trainwatch/core";
import { Columns, HiddenHeading, Page, Rule, SkeletonBlock, SkeletonReadouts, SkeletonRows } from "@trainwatch/ui";
import { useMemo } from "react";
import { useIncident } from "../../data/incidents.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { CausesPanel } from "./causes-panel.tsx";
import { EvidencePanel } from "./evidence-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";
import { IncidentCharts } from "./incident-charts.tsx";
import { IncidentHeadline } from "./incident-headline.tsx";
import { IncidentTimeline } from "./incident-timeline.tsx";
import { IncidentTitle } from "./incident-title.tsx";
import { leadOf } from "./lead-finding.ts";
import { MergedIncident } from "./merged-incident.tsx";
import { RollbackPanel } from "./rollback-panel.tsx";
import { SuspectsPanel } from "./suspects-panel.tsx";

const route = getRouteApi("/incidents/$incidentId");

/** One incident: what, since when, still on, what it costs, what to do; and the decision. */
export function IncidentPage() {
  const { incidentId } = route.useParams();
  const incident = useIncident(incidentId);
  return (
    <Page label={`Incident ${incidentId}`}>
      <LoadedView loaded={incident} what={`Incident #${incidentId}`} skeleton={<IncidentSkeleton />}>
        {(data) =>
          data.mergedInto === null ? <IncidentView incident={data} /> : <MergedIncident incident={data} into={data.mergedInto} />
        }
      </LoadedView>
    </Page>
  );
}

function IncidentView({ incident }: { readonly incident: IncidentDetail }) {
  const lead = useMemo(() => leadOf(incident.findings), [incident.findings]);
  return (
    <>
      <title>{`#${incident.id} ${incident.title} · Trainwatch`}</title>
      <IncidentTitle incident={incident} />
      <IncidentHeadline incident={incident} lead={lead} />
      <Columns
        size="evidence"
        asideLabel="Evidence"
        aside={
          <>
            {incident.assessment === null ? null : <CausesPanel incident={incident} assessment={incident.assessment} />}
            <SuspectsPanel incident={incident} />
            <EvidencePanel findings={incident.findings} />
            <FindingsPanel incident={incident} />
          </>
        }
      >
        <IncidentCharts incident={incident} lead={lead} />
        {incident.runId === null ? null : (
          <>
            <Rule />
            <RollbackPanel incident={incident} />
          </>
        )}
      </Columns>
      <Rule />
      <IncidentTimeline incident={incident} />
    </>
  );
}

function IncidentSkeleton() {
  return (
    <>
      <title>Incident · Trainwatch</title>
      <HiddenHeading>Incident</HiddenHeading>
      <SkeletonReadouts label="the incident" count={5} />
      <SkeletonBlock label="charts" heightPx={300} />
      <SkeletonRows label="checkpoints" rows={6} heightPx={24} />
    </>
  );
}
