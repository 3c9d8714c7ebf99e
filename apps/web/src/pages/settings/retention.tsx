import type { Settings } from "@trainwatch/core";
import { ActionRow, Button, formatCount, Inset, Notice, Section, Segmented, SkeletonRows, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useSaveSettings, useSettings } from "../../data/settings.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { readInteger } from "../../url/read.ts";

export function Retention() {
  const settings = useSettings();
  return (
    <Section title="Retention" note="how long runs are kept">
      <LoadedView loaded={settings} what="The settings" skeleton={<SkeletonRows label="settings" rows={2} />}>
        {(current) => <RetentionForm key={current.retentionDays} current={current} />}
      </LoadedView>
    </Section>
  );
}

function RetentionForm({ current }: { readonly current: Settings }) {
  const [keeps, setKeeps] = useState<"all" | "days">(current.retentionDays === null ? "all" : "days");
  const [days, setDays] = useState(String(current.retentionDays ?? ""));
  const save = useSaveSettings();
  const asked = keeps === "all" ? null : (readInteger(days, 1) ?? undefined);
  const isChanged = asked !== undefined && asked !== current.retentionDays;
  return (
    <>
      <Inset>
        <Stack gap={3}>
          <Text tone="text">
            {current.retentionDays === null
              ? "Runs are kept until somebody deletes them."
              : `Runs that have not moved for ${formatCount(current.retentionDays, "day")} are deleted.`}
          </Text>
          <Segmented
            label="Keep runs"
            value={keeps}
            onChange={setKeeps}
            options={[
              { value: "all", label: "Keep all" },
              { value: "days", label: "Delete after" },
            ]}
          />
          {keeps === "days" ? (
            <TextField
              label="Days without a new sample"
              inputMode="numeric"
              value={days}
              onChange={(event) => setDays(event.target.value)}
              error={days !== "" && asked === undefined ? "A whole number of days, at least 1" : null}
            />
          ) : null}
          {save.failure === null ? null : (
            <Notice mark="warning" lit>
              {save.failure.message}
            </Notice>
          )}
        </Stack>
      </Inset>
      <ActionRow>
        <Button
          disabled={!isChanged || save.isSending}
          onClick={() => {
            if (asked !== undefined) save.send({ retentionDays: asked });
          }}
        >
          Save
        </Button>
        <Text size="label" tone="label">
          Deleting is done by the maintenance worker and stands in the audit trail.
        </Text>
      </ActionRow>
    </>
  );
}
