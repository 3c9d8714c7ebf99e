import type { Settings } from "@trainwatch/core";
import { ActionRow, Button, Inset, Notice, Section, SkeletonRows, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useSaveSettings, useSettings } from "../../data/settings.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { readInteger } from "../../url/read.ts";

export function FleetRetention() {
  const settings = useSettings();
  return (
    <Section title="Fleet readings" note="how long they are kept">
      <LoadedView loaded={settings} what="What is kept of the fleet" skeleton={<SkeletonRows label="settings" rows={2} />}>
        {(current) => <FleetRetentionForm key={`${current.fleetRawDays} ${current.fleetCellDays}`} current={current} />}
      </LoadedView>
    </Section>
  );
}

function FleetRetentionForm({ current }: { readonly current: Settings }) {
  const [rawText, setRaw] = useState(String(current.fleetRawDays));
  const [cellText, setCell] = useState(String(current.fleetCellDays));
  const save = useSaveSettings();
  const fleetRawDays = readInteger(rawText, 1);
  const fleetCellDays = readInteger(cellText, 1);
  const asked = fleetRawDays === undefined || fleetCellDays === undefined ? null : { fleetRawDays, fleetCellDays };
  const isShort = asked !== null && asked.fleetCellDays < asked.fleetRawDays;
  const isChanged = fleetRawDays !== current.fleetRawDays || fleetCellDays !== current.fleetCellDays;
  return (
    <>
      <Inset>
        <Stack gap={3}>
          <Text tone="text">
            Readings are kept as they were sent, and after that by 20 minutes: count, sum, and the extremes with their times.
          </Text>
          <TextField
            label="Days of readings as they were sent"
            inputMode="numeric"
            value={rawText}
            onChange={(event) => setRaw(event.target.value)}
            error={fleetRawDays === undefined ? "A whole number of days, at least 1" : null}
          />
          <TextField
            label="Days of readings by 20 minutes"
            inputMode="numeric"
            value={cellText}
            onChange={(event) => setCell(event.target.value)}
            error={
              fleetCellDays === undefined
                ? "A whole number of days, at least 1"
                : isShort
                  ? "At least as long as the readings themselves"
                  : null
            }
          />
          {save.failure === null ? null : (
            <Notice mark="warning" lit>
              {save.failure.message}
            </Notice>
          )}
        </Stack>
      </Inset>
      <ActionRow>
        <Button
          disabled={asked === null || isShort || !isChanged || save.isSending}
          onClick={() => {
            if (asked !== null) save.send(asked);
          }}
        >
          Save
        </Button>
        <Text size="label" tone="label">
          A reading that comes later than this is refused as too old.
        </Text>
      </ActionRow>
    </>
  );
}
