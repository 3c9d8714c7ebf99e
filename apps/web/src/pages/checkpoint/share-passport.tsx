import { getRouteApi, useRouter } from "@tanstack/react-router";
import type { Passport } from "@trainwatch/core";
import { CopyButton, Popover, Stack, Text, TextField } from "@trainwatch/ui";
import { useZone } from "../../zone/zone.tsx";

const route = getRouteApi("/checkpoints/$checkpointId");

/** A link that shows its reader the same steps in the same zone. */
export function SharePassport({ passport }: { readonly passport: Passport }) {
  const router = useRouter();
  const { zone } = useZone();
  const search = route.useSearch();
  const place = router.buildLocation({
    to: "/checkpoints/$checkpointId",
    params: { checkpointId: passport.checkpointId },
    search: { ...search, tz: zone },
  });
  const link = new URL(place.href, window.location.origin).href;
  return (
    <Popover label="Share" look="quiet">
      <Stack>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} label="Copy link" />
        <Text size="label" tone="label">{`The zone (${zone}) is written into it.`}</Text>
      </Stack>
    </Popover>
  );
}
