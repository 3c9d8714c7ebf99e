import type { IncidentDetail } from "@trainwatch/core";
import { Button, Chip, DeskOnly, formatInteger, KeyHint, MARK_WORDS, Notice, SeverityShape, Text, TitleRow } from "@trainwatch/ui";
import { useState, type ReactNode } from "react";
import { When } from "../../clock/when.tsx";
import { useIncidentVerbs } from "../../data/incidents.ts";
import { AskedActionDialog } from "../../incident-actions/asked-action.tsx";
import { LabelDialog } from "../../incident-actions/label-dialog.tsx";
import { useKeys } from "../../keys/keys.tsx";
import type { KeyBinding } from "../../keys/registry.ts";
import { Link } from "../../routing/link.tsx";
import { isUntaken, SEVERITY_TONE } from "../../words/incident-words.ts";
import { shortIds } from "../../words/short-ids.ts";
import { LABEL_WORDS } from "../../words/label-words.ts";
import { CloseDialog } from "./close-dialog.tsx";
import { ExportIncident } from "./export-incident.tsx";
import { ShareIncident } from "./share-incident.tsx";

type Asked = "assign" | "snooze" | "label" | "close";

export function IncidentTitle({ incident }: { readonly incident: IncidentDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { acknowledge } = useIncidentVerbs();
  const untaken = isUntaken(incident);
  const isOpen = incident.state !== "resolved";
  const take = (): void => acknowledge.send({ incidentId: incident.id });
  const close = (): void => setAsked(null);
  const binding = (keys: string, label: string, run: () => void): KeyBinding => ({ keys, label, group: "Lists", run });
  useKeys([
    ...(untaken ? [binding("e", "Acknowledge this incident", take)] : []),
    ...(isOpen
      ? [binding("a", "Assign this incident", () => setAsked("assign")), binding("s", "Snooze this incident", () => setAsked("snooze"))]
      : []),
  ]);
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
        title={shortIds(incident.title)}
        fullTitle={incident.title}
        chips={<TitleChips incident={incident} />}
        note={<TitleNote incident={incident} />}
        actions={
          <>
            {untaken ? (
              <ActionButton keys="e" disabled={acknowledge.isSending} onClick={take}>
                Acknowledge
              </ActionButton>
            ) : null}
            {isOpen ? (
              <>
                <ActionButton keys="a" onClick={() => setAsked("assign")}>
                  Assign…
                </ActionButton>
                <ActionButton keys="s" onClick={() => setAsked("snooze")}>
                  Snooze…
                </ActionButton>
              </>
            ) : null}
            <ActionButton onClick={() => setAsked("label")}>Label…</ActionButton>
            <ExportIncident incidentId={incident.id} />
            <ShareIncident incident={incident} />
            <Button size="small" onClick={() => setAsked("close")}>
              {isOpen ? "Resolve…" : "Reopen…"}
            </Button>
          </>
        }
      />
      {acknowledge.failure === null ? null : (
        <Notice mark="warning" lit>
          {acknowledge.failure.message}
        </Notice>
      )}
      {asked === "close" ? <CloseDialog incident={incident} onClose={close} /> : null}
      {asked === "label" ? <LabelDialog incident={incident} onClose={close} /> : null}
      {asked === "assign" || asked === "snooze" ? <AskedActionDialog incident={incident} asked={asked} onClose={close} /> : null}
    </>
  );
}

interface ActionButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly keys?: string;
  readonly disabled?: boolean;
}

function ActionButton({ children, onClick, keys, disabled = false }: ActionButtonProps) {
  return (
    <Button kind="quiet" size="small" disabled={disabled} onClick={onClick}>
      {children}
      {keys === undefined ? null : (
        <DeskOnly>
          <KeyHint keys={keys} />
        </DeskOnly>
      )}
    </Button>
  );
}

/** What is out of the ordinary about it, one chip each. */
function TitleChips({ incident }: { readonly incident: IncidentDetail }) {
  const { regressionOf, merged, flaps, labelled, state, snoozedUntilMs } = incident;
  return (
    <>
      {regressionOf === null ? null : <Regression of={regressionOf} />}
      {merged.length === 0 ? null : (
        <Chip
          title={`A later finding showed that ${merged.map((id) => `#${id}`).join(", ")} had the same cause; all of it is this one incident`}
        >
          {merged.length === 1 ? `took in #${merged[0]}` : `took in ${formatInteger(merged.length)} incidents`}
        </Chip>
      )}
      {flaps === 0 ? null : (
        <Chip tone="warning" title={`It was over and came back ${formatInteger(flaps)} times; all of it is this one incident`}>
          {`flapping ×${formatInteger(flaps)}`}
        </Chip>
      )}
      {state === "snoozed" && snoozedUntilMs !== null ? (
        <Chip>
          snoozed until <When ms={snoozedUntilMs} show="moment" />
        </Chip>
      ) : null}
      {labelled === null ? null : (
        <Chip
          tone={labelled.label === "wrong" ? "warning" : "plain"}
          title={[labelled.reason, `by ${labelled.by}`].filter((part) => part !== "").join(", ")}
        >
          {`alarm: ${LABEL_WORDS[labelled.label].toLowerCase()}`}
        </Chip>
      )}
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
      <Taken incident={incident} />
    </>
  );
}

/** Who has it, and whether they have said so. */
function Taken({ incident: { state, owner, acknowledgedAtMs } }: { readonly incident: IncidentDetail }) {
  const resolved = state === "resolved" ? ", resolved" : "";
  if (acknowledgedAtMs !== null) {
    return (
      <>
        acknowledged by {owner ?? "somebody"} <When ms={acknowledgedAtMs} show="moment" />
        {resolved}
      </>
    );
  }
  if (owner !== null) return `assigned to ${owner}, not acknowledged${resolved}`;
  return state === "resolved" ? "resolved" : "nobody has taken it";
}
