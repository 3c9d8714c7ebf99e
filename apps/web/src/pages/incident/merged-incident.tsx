import type { IncidentDetail } from "@trainwatch/core";
import { EmptyState, HiddenHeading, Rule } from "@trainwatch/ui";
import { ButtonLink } from "../../routing/link.tsx";
import { IncidentTimeline } from "./incident-timeline.tsx";

/** An incident that turned out to be part of an elder one: where it went, and what was said of it before. */
export function MergedIncident({ incident, into }: { readonly incident: IncidentDetail; readonly into: number }) {
  const said = `Incident #${incident.id} was merged into #${into}`;
  return (
    <>
      <title>{`${said} · Trainwatch`}</title>
      <HiddenHeading>{said}</HiddenHeading>
      <EmptyState
        title={said}
        action={<ButtonLink to="/incidents/$incidentId" params={{ incidentId: into }}>{`Go to incident #${into}`}</ButtonLink>}
      >
        {`It was told of as “${incident.title}”, until a later finding showed that both have one cause. What was found, decided and said of it is part of #${into} now.`}
      </EmptyState>
      <Rule />
      <IncidentTimeline incident={incident} />
    </>
  );
}
