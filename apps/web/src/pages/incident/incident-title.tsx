import type { IncidentDetail } from "@trainwatch/core";
import { Button, Chip, DeskOnly, KeyHint, MARK_WORDS, Notice, SeverityShape, Text, TitleRow } from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { useIncidentVerbs } from "../../data/incidents.ts";
import { useKeys } from "../../keys/keys.tsx";
import type { KeyBinding } from "../../keys/registry.ts";
import { Link } from "../../routing/link.tsx";
import { isUntaken, SEVERITY_TONE } from "../../words/incident-words.ts";
import { CloseDialog } from "./close-dialog.tsx";
import { ShareIncident } from "./share-incident.tsx";

export function IncidentTitle({ incident }: { readonly incident: IncidentDetail }) {
  const [closing, setClosing] = useState(false);
  const { acknowledge } = useIncidentVerbs();
  const untaken = isUntaken(incident);
  const take = (): void => acknowledge.send({ incidentId: incident.id });
  useKeys(untaken ? [{ keys: "e", label: "Acknowledge this incident", group: "Lists", run: take } satisfies KeyBinding] : []);
  return (
    <>
      <TitleRow
        mark={<SeverityShape mark={incident.severity} />}
        lead={
          <>
            <Text tone={SEVERITY_TONE[incident.severity]} weight="bold">
              {MARK_WORDS[incident.severity]}
            </Text>
            <Text tone="label">{`#${incident.id}`}</Text>
          </>
        }
        title={incident.title}
        chips={incident.regressionOf === null ? undefined : <Regression of={incident.regressionOf} />}
        note={<TitleNote incident={incident} />}
        actions={
          <>
            {untaken ? (
              <Button kind="quiet" size="small" disabled={acknowledge.isSending} onClick={take}>
                Acknowledge{" "}
                <DeskOnly>
                  <KeyHint keys="e" />
                </DeskOnly>
              </Button>
            ) : null}
            <ShareIncident incident={incident} />
            <Button size="small" onClick={() => setClosing(true)}>
              {incident.state === "resolved" ? "Reopen…" : "Resolve…"}
            </Button>
          </>
        }
      />
      {acknowledge.failure === null ? null : (
        <Notice mark="warning" lit>
          {acknowledge.failure.message}
        </Notice>
      )}
      {closing ? <CloseDialog incident={incident} onClose={() => setClosing(false)} /> : null}
    </>
  );
}

/** The same fault was resolved before and is back. */
function Regression({ of: earlier }: { readonly of: number }) {
  return (
    <Chip tone="warning">
      regression of <Link to="/incidents/$incidentId" params={{ incidentId: earlier }} look="plain">{`#${earlier}`}</Link>
    </Chip>
  );
}

function TitleNote({ incident }: { readonly incident: IncidentDetail }) {
  return (
    <>
      {incident.runId === null ? (
        "works for no run"
      ) : (
        <>
          <Link to="/runs/$runId" params={{ runId: incident.runId }} look="plain">
            {incident.project}/{incident.runName}
          </Link>{" "}
          {incident.attempt}
        </>
      )}
      {" · "}
      {incident.acknowledgedAtMs === null ? (
        incident.state === "resolved" ? (
          "resolved"
        ) : (
          "nobody has taken it"
        )
      ) : (
        <>
          acknowledged by {incident.owner ?? "somebody"} <When ms={incident.acknowledgedAtMs} show="moment" />
          {incident.state === "resolved" ? ", resolved" : ""}
        </>
      )}
    </>
  );
}
