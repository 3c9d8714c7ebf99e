import type { IncidentSummary } from "@trainwatch/core";
import { Button, Dialog, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useIncidents, useIncidentVerbs } from "../data/incidents.ts";
import { dataOf } from "../data/loaded.ts";
import { usePerson } from "../data/sign-in.ts";

/** Gives the incident to somebody by name, or back to nobody. Names of those who have incidents now are offered. */
export function AssignDialog({
  incident,
  onClose,
}: {
  readonly incident: Pick<IncidentSummary, "id" | "owner">;
  readonly onClose: () => void;
}) {
  const [owner, setOwner] = useState("");
  const { assign, unassign } = useIncidentVerbs();
  const person = usePerson();
  const listed =
    dataOf(useIncidents({ states: ["open", "acknowledged", "snoozed"], severities: [], runId: null, cursor: null }))?.items ?? [];
  const known = [...new Set(listed.flatMap((each) => (each.owner === null || each.owner === incident.owner ? [] : [each.owner])))].sort();
  const isSending = assign.isSending || unassign.isSending;
  const give = (name: string): void => assign.send({ incidentId: incident.id, owner: name }, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Who has #${incident.id}?`}
      description={
        incident.owner === null
          ? "Nobody has it now. Whoever it is given to is not told by that alone."
          : `${incident.owner} has it now. Whoever it is given to is not told by that alone.`
      }
      actions={
        <>
          <Button kind="primary" disabled={owner.trim() === "" || isSending} onClick={() => give(owner.trim())}>
            Assign
          </Button>
          {person === null || person.name === incident.owner ? null : (
            <Button disabled={isSending} onClick={() => give(person.name)}>
              To me
            </Button>
          )}
          {incident.owner === null ? null : (
            <Button disabled={isSending} onClick={() => unassign.send({ incidentId: incident.id }, onClose)}>
              To nobody
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={owner}
        onChange={(event) => setOwner(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && owner.trim() !== "" && !isSending) give(owner.trim());
        }}
        options={known}
        error={assign.failure?.message ?? unassign.failure?.message ?? null}
        autoComplete="off"
        maxLength={128}
      />
    </Dialog>
  );
}
