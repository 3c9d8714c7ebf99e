import type { Decision, IncidentDetail } from "@trainwatch/core";
import { Button, Dialog, TextArea, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useIncidentVerbs } from "../../data/incidents.ts";
import { consequence, decideQuestion } from "./decide-words.ts";

export interface DecideDialogProps {
  readonly incident: IncidentDetail;
  readonly adviceId: number;
  readonly verdict: Decision["verdict"];
  readonly onClose: () => void;
}

/** Asks once more, with run and cluster by name. Both ways need a reason; accepting needs the run's name typed. */
export function DecideDialog({ incident, adviceId, verdict, onClose }: DecideDialogProps) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const { decide } = useIncidentVerbs();
  const expected = incident.runName ?? "fleet";
  const accepts = verdict === "accepted";
  const isNamed = !accepts || typed === expected;
  const canSend = reason.trim() !== "" && isNamed && !decide.isSending;
  const send = (): void => decide.send({ adviceId, verdict, reason: reason.trim() }, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={decideQuestion(incident, verdict)}
      description={consequence(incident, verdict)}
      actions={
        <>
          <Button kind="primary" disabled={!canSend} onClick={send}>
            {accepts ? "Accept" : "Decline"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextArea
        label="Reason, for the record"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={decide.failure?.message ?? null}
        maxLength={2000}
      />
      {accepts ? (
        <TextField
          label={`Type ${incident.runName === null ? "the word" : "the run's name"}: ${expected}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={typed === "" || expected.startsWith(typed) ? null : "Type the run's full name"}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
    </Dialog>
  );
}
