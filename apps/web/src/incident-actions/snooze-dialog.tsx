import type { IncidentSummary } from "@trainwatch/core";
import { Button, Dialog, Segmented, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useNow } from "../clock/now.tsx";
import { When } from "../clock/when.tsx";
import { useIncidentVerbs } from "../data/incidents.ts";
import { useZone } from "../zone/zone.tsx";
import { SNOOZE_CHOICES, snoozeUntil, type SnoozeChoice } from "./snooze-until.ts";

/** Out of the way until a time. It comes back by itself, and at once where it gets worse. */
export function SnoozeDialog({ incident, onClose }: { readonly incident: Pick<IncidentSummary, "id">; readonly onClose: () => void }) {
  const [choice, setChoice] = useState<SnoozeChoice>("2 h");
  const [reason, setReason] = useState("");
  const nowMs = useNow();
  const { zone } = useZone();
  const { snooze } = useIncidentVerbs();
  const untilMs = snoozeUntil(choice, nowMs, zone);
  const send = (): void =>
    snooze.send({ incidentId: incident.id, untilMs: snoozeUntil(choice, nowMs, zone), reason: reason.trim() }, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Snooze #${incident.id}`}
      description="Nobody is told of it meanwhile, unless its severity rises."
      actions={
        <>
          <Button kind="primary" disabled={snooze.isSending} onClick={send}>
            Snooze
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={2}>
        <Segmented
          label="For how long"
          value={choice}
          onChange={setChoice}
          options={SNOOZE_CHOICES.map((value) => ({ value, label: value === "morning" ? "until 08:00" : value }))}
        />
        <Text tone="text">
          It comes back <When ms={untilMs} show="both" />.
        </Text>
        <TextField
          label="Why, for whoever looks next (may be left out)"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={snooze.failure?.message ?? null}
          maxLength={2000}
        />
      </Stack>
    </Dialog>
  );
}
