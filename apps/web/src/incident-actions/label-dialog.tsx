import { LABELS, type IncidentDetail, type Label } from "@trainwatch/core";
import { Button, Dialog, Segmented, Stack, Text, TextArea } from "@trainwatch/ui";
import { useState } from "react";
import { useIncidentVerbs } from "../data/incidents.ts";
import { LABEL_NOTES, LABEL_WORDS } from "../words/label-words.ts";

/** What the alarm was worth. Precision of its detectors is counted from these, so that it is asked for after the fact too. */
export function LabelDialog({
  incident,
  onClose,
}: {
  readonly incident: Pick<IncidentDetail, "id" | "labelled">;
  readonly onClose: () => void;
}) {
  const [label, setLabel] = useState<Label>(incident.labelled?.label ?? "right");
  const [reason, setReason] = useState(incident.labelled?.reason ?? "");
  const { label: verb } = useIncidentVerbs();
  // A false alarm without its reason teaches nobody anything.
  const needsReason = label === "wrong" && reason.trim() === "";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Was #${incident.id} a right alarm?`}
      description="The precision of its detectors is counted from what is said here. It can be changed later."
      actions={
        <>
          <Button
            kind="primary"
            disabled={needsReason || verb.isSending}
            onClick={() => verb.send({ incidentId: incident.id, label, reason: reason.trim() }, onClose)}
          >
            Save label
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={2}>
        <Segmented
          label="The alarm was"
          value={label}
          onChange={setLabel}
          options={LABELS.map((value) => ({ value, label: LABEL_WORDS[value] }))}
        />
        <Text tone="text">{LABEL_NOTES[label]}</Text>
        <TextArea
          label={label === "wrong" ? "Not a problem, because" : "Reason (may be left out)"}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={verb.failure?.message ?? null}
          maxLength={2000}
        />
      </Stack>
    </Dialog>
  );
}
