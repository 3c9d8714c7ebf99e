import type { IncidentDetail } from "@trainwatch/core";
import { Button, Dialog, TextArea } from "@trainwatch/ui";
import { useState } from "react";
import { useIncidentVerbs } from "../../data/incidents.ts";

/** Resolving and reopening need a reason: the next one on call reads it. */
export function CloseDialog({ incident, onClose }: { readonly incident: IncidentDetail; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const { resolve, reopen } = useIncidentVerbs();
  const isResolved = incident.state === "resolved";
  const verb = isResolved ? reopen : resolve;
  const send = (): void => verb.send({ incidentId: incident.id, reason: reason.trim() }, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isResolved ? `Reopen #${incident.id}?` : `Resolve #${incident.id}?`}
      description={
        isResolved
          ? "It goes back into the inbox."
          : incident.ongoing
            ? "The fault is still going on: if it gets worse, the incident opens again."
            : "If the fault comes back, the incident opens again."
      }
      actions={
        <>
          <Button kind="primary" disabled={reason.trim() === "" || verb.isSending} onClick={send}>
            {isResolved ? "Reopen" : "Resolve"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextArea
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={verb.failure?.message ?? null}
        maxLength={2000}
      />
    </Dialog>
  );
}
