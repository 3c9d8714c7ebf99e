import { Button, Checkbox, EmptyState, formatInteger, Popover, SkeletonRows, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useFleetMetrics } from "../../../data/fleet.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { mapMetrics, metricLabels } from "../../fleet/metric-choice.ts";
import { MAX_FLEET_LANES, without } from "../search.ts";
import { useRunSearch } from "../use-run-search.ts";

/** Chooses which metrics of the run's GPUs stand under its own. */
export function FleetLanesMenu() {
  const { search } = useRunSearch();
  const [open, setOpen] = useState(false);
  const count = search.fleet?.length ?? 0;
  return (
    <Popover label={count === 0 ? "Fleet: none" : `Fleet: ${formatInteger(count)}`} open={open} onOpenChange={setOpen}>
      {open ? <Choices /> : null}
    </Popover>
  );
}

const SHOWN = 14;

function Choices() {
  const { search, go } = useRunSearch();
  const metrics = useFleetMetrics();
  const [text, setText] = useState("");
  const chosen = search.fleet ?? [];
  const toggle = (metric: string): void =>
    go((before) => {
      const now = before.fleet ?? [];
      const next = now.includes(metric) ? now.filter((name) => name !== metric) : [...now, metric].slice(0, MAX_FLEET_LANES);
      return next.length === 0 ? without(before, "fleet") : { ...before, fleet: next };
    });
  return (
    <Stack>
      <TextField
        label="Metric of the run's GPUs"
        placeholder="Part of a name"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
      />
      <LoadedView loaded={metrics} what="The metrics of the fleet" skeleton={<SkeletonRows label="metrics" rows={6} heightPx={24} />}>
        {(data) => {
          const found = metricLabels(mapMetrics(data).filter(({ entity }) => entity === "gpu" || entity === "link")).filter(
            ({ label, value }) => `${label} ${value}`.toLowerCase().includes(text.trim().toLowerCase()),
          );
          return found.length === 0 ? (
            <EmptyState title={data.length === 0 ? "No fleet sends to this server" : "No metric has that in its name"} />
          ) : (
            <Stack gap={1}>
              {found.slice(0, SHOWN).map(({ value, label }) => (
                <Checkbox
                  key={value}
                  label={label}
                  checked={chosen.includes(value)}
                  disabled={!chosen.includes(value) && chosen.length >= MAX_FLEET_LANES}
                  title={value}
                  onChange={() => toggle(value)}
                />
              ))}
              {found.length > SHOWN ? <Text size="label" tone="label">{`${SHOWN} of ${found.length}`}</Text> : null}
            </Stack>
          );
        }}
      </LoadedView>
      {chosen.length === 0 ? null : (
        <Button size="small" onClick={() => go((before) => without(before, "fleet"))}>
          No fleet lanes
        </Button>
      )}
    </Stack>
  );
}
