import { muteWindows, type StoredMute } from "@trainwatch/core";
import { Button, Checkbox, Dialog, formatDateTime, Inline, Notice, Segmented, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useNow } from "../../../clock/now.tsx";
import { useDetectors } from "../../../data/detectors.ts";
import { dataOf } from "../../../data/loaded.ts";
import { useMuteVerbs } from "../../../data/rules.ts";
import { ScopeField } from "../../../rule-scope/scope-field.tsx";
import { useZone } from "../../../zone/zone.tsx";
import { DetectorChoice } from "./detector-choice.tsx";
import { muteDraft, muteOf, newMute, type MuteDraft } from "./mute-draft.ts";
import { DAY_NAMES } from "./mute-words.ts";

/** What the zone data of this browser knows. */
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** A calendar's form, with what it means for the next times. */
export function MuteDialog({ stored, onClose }: { readonly stored: StoredMute | null; readonly onClose: () => void }) {
  const { zone: ownZone } = useZone();
  const [draft, setDraft] = useState<MuteDraft>(() => (stored === null ? newMute(ownZone) : muteDraft(stored.mute)));
  const [isTouched, setTouched] = useState(false);
  const { create, update } = useMuteVerbs();
  const detectors = dataOf(useDetectors()) ?? [];
  const read = muteOf(draft);
  const faults = isTouched && "faults" in read ? read.faults : {};
  const change = (changed: Partial<MuteDraft>): void => setDraft((before) => ({ ...before, ...changed }));
  const failure = create.failure ?? update.failure;
  const send = (): void => {
    setTouched(true);
    if (!("mute" in read)) return;
    if (stored === null) create.send(read.mute, onClose);
    else update.send({ muteId: stored.id, mute: read.mute }, onClose);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={stored === null ? "New mute calendar" : `Change “${stored.mute.name}”`}
      actions={
        <>
          <Button kind="primary" disabled={create.isSending || update.isSending} onClick={send}>
            {stored === null ? "Make calendar" : "Save"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={3}>
        <TextField
          label="Name: what it is for"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          error={faults.name ?? null}
          maxLength={128}
        />
        <TextField
          label="Zone (IANA)"
          value={draft.zone}
          onChange={(event) => change({ zone: event.target.value })}
          options={ZONES}
          error={faults.zone ?? null}
          spellCheck={false}
          autoComplete="off"
        />
        <Stack gap={1}>
          <Text size="label" tone={faults.weekdays === undefined ? "label" : "critical"}>
            {faults.weekdays ?? "Begins on"}
          </Text>
          <Inline gap={3} wrap>
            {DAY_NAMES.map((name, index) => (
              <Checkbox
                key={name}
                label={name}
                checked={draft.weekdays.includes(index + 1)}
                onChange={() => change({ weekdays: toggled(draft.weekdays, index + 1) })}
              />
            ))}
          </Inline>
        </Stack>
        <Inline gap={3} align="start" wrap>
          <TextField
            label="From (HH:MM)"
            inputMode="numeric"
            value={draft.from}
            onChange={(event) => change({ from: event.target.value })}
            error={faults.from ?? null}
          />
          <TextField
            label="To (HH:MM)"
            inputMode="numeric"
            value={draft.to}
            onChange={(event) => change({ to: event.target.value })}
            error={faults.to ?? null}
          />
        </Inline>
        <Inline gap={3} align="start" wrap>
          <TextField
            label="First day (may be left out)"
            type="date"
            value={draft.firstDay}
            onChange={(event) => change({ firstDay: event.target.value })}
            error={faults.firstDay ?? null}
          />
          <TextField
            label="Last day (may be left out)"
            type="date"
            value={draft.lastDay}
            onChange={(event) => change({ lastDay: event.target.value })}
            error={faults.lastDay ?? null}
          />
        </Inline>
        <Segmented
          label="Mutes"
          value={draft.upTo}
          onChange={(upTo) => change({ upTo })}
          options={[
            { value: "warning", label: "Tickets only" },
            { value: "critical", label: "Tickets and pages" },
          ]}
        />
        <DetectorChoice detectors={detectors} chosen={draft.detectors} onChange={(chosen) => change({ detectors: chosen })} />
        <ScopeField draft={draft.scope} onChange={(scope) => change({ scope })} />
        {faults.scope === undefined ? null : <Text tone="critical">{faults.scope}</Text>}
        {"mute" in read ? <NextWindows mute={read.mute} ownZone={ownZone} /> : null}
        {failure === null ? null : (
          <Notice mark="warning" lit>
            {failure.message}
          </Notice>
        )}
      </Stack>
    </Dialog>
  );
}

function toggled(days: readonly number[], day: number): readonly number[] {
  return days.includes(day) ? days.filter((each) => each !== day) : [...days, day].sort((a, b) => a - b);
}

const SHOWN = 3;

/** The next times in the calendar's zone, and in the reader's where it is another: a night in Berlin is an evening in Oslo and a day in Tokyo. */
function NextWindows({ mute, ownZone }: { readonly mute: StoredMute["mute"]; readonly ownZone: string }) {
  const nowMs = useNow();
  const windows = muteWindows(mute, nowMs, SHOWN);
  if (windows.length === 0) return <Text tone="warning">It would never mute: its days are over.</Text>;
  const said = (ms: number, zone: string): string => formatDateTime(ms, zone, nowMs).replace(/(\d\d:\d\d):\d\d/, "$1");
  return (
    <Stack gap={1}>
      <Text size="label" tone="label">
        Mutes next
      </Text>
      {windows.map(({ fromMs, toMs }) => (
        <Text key={fromMs} as="p">
          {`${said(fromMs, mute.zone)} to ${said(toMs, mute.zone)}`}
          {ownZone === mute.zone ? null : <Text tone="label">{` · ${said(fromMs, ownZone)} to ${said(toMs, ownZone)}`}</Text>}
        </Text>
      ))}
    </Stack>
  );
}
