import { useRouter } from "@tanstack/react-router";
import type { IncidentDetail } from "@trainwatch/core";
import { CopyButton, Popover, Stack, Text, TextField } from "@trainwatch/ui";
import { useZone } from "../../zone/zone.tsx";
import { useShownRange } from "./shown-range.ts";

/** A link that shows the reader what is seen now: the steps are written out, and the zone with them. */
export function ShareIncident({ incident }: { readonly incident: IncidentDetail }) {
  const router = useRouter();
  const { zone } = useZone();
  const { from, to } = useShownRange(incident);
  const end = to ?? incident.lastStep;
  const place = router.buildLocation({
    to: "/incidents/$incidentId",
    params: { incidentId: incident.id },
    search: { ...(from === null ? {} : { from }), ...(end === null ? {} : { to: end }), tz: zone },
  });
  const link = new URL(place.href, window.location.origin).href;
  return (
    <Popover label="Share" look="quiet">
      <Stack>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} label="Copy link" />
        <Text size="label" tone="label">{`Steps and zone (${zone}) are written into it: it shows the same later on.`}</Text>
      </Stack>
    </Popover>
  );
}
