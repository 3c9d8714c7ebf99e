import { useRouter } from "@tanstack/react-router";
import { CopyButton, Popover, Stack, Text, TextField } from "@trainwatch/ui";
import { useZone } from "../../zone/zone.tsx";
import type { ShownWindow } from "./shown-window.ts";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { FleetView } from "./use-fleet-view.ts";

/** A link that shows its reader the map as it is now: time, window and zone are written out (H1). */
export function ShareFleet({ view, window }: { readonly view: FleetView; readonly window: ShownWindow }) {
  const router = useRouter();
  const { zone } = useZone();
  const { search } = useFleetSearch();
  const place = router.buildLocation({
    to: "/fleet",
    search: { ...search, metric: view.frame.metric, at: Math.round(view.frame.atMs), from: window.fromMs, to: window.toMs, tz: zone },
  });
  const link = new URL(place.href, globalThis.location.origin).href;
  return (
    <Popover label="Share" look="quiet">
      <Stack>
        <TextField label="Link to what is seen now" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} label="Copy link" />
        <Text size="label" tone="label">{`Time and zone (${zone}) are written into it: it shows the same later on.`}</Text>
      </Stack>
    </Popover>
  );
}
