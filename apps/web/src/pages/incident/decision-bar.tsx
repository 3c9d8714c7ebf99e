import type { Decision, IncidentDetail } from "@trainwatch/core";
import { ActionRow, Button, Inset, SeverityWord, Text } from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { DecideDialog } from "./decide-dialog.tsx";

/** Accept or decline the proposal; once decided, who did and why. */
export function DecisionBar({ incident }: { readonly incident: IncidentDetail }) {
  const [asking, setAsking] = useState<Decision["verdict"] | null>(null);
  const { advice } = incident;
  const decided = incident.decisions.findLast((decision) => decision.adviceId === advice?.id);
  return (
    <div id="decision">
      {incident.decisions.map((decision) => (
        <DecisionLine key={decision.id} decision={decision} />
      ))}
      {advice === null || decided !== undefined || incident.state === "resolved" ? null : (
        <ActionRow>
          <Button kind="primary" onClick={() => setAsking("accepted")}>
            Accept…
          </Button>
          <Button onClick={() => setAsking("declined")}>Decline…</Button>
          <Text size="label" tone="label">
            Accept asks once more with run and cluster name. Nothing runs by itself.
          </Text>
        </ActionRow>
      )}
      {asking === null || advice === null ? null : (
        <DecideDialog incident={incident} adviceId={advice.id} verdict={asking} onClose={() => setAsking(null)} />
      )}
    </div>
  );
}

function DecisionLine({ decision }: { readonly decision: Decision }) {
  return (
    <Inset>
      <SeverityWord mark={decision.verdict === "accepted" ? "ok" : "refused"}>
        {decision.verdict === "accepted" ? "Accepted" : "Declined"}
      </SeverityWord>{" "}
      by <Text weight="bold">{decision.actor}</Text> <When ms={decision.atMs} show="both" />: {decision.reason}
    </Inset>
  );
}
