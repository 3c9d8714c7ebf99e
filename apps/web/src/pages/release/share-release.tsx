import { getRouteApi, useRouter } from "@tanstack/react-router";
import { CopyButton, Popover, Stack, Text, TextField } from "@trainwatch/ui";
import { useZone } from "../../zone/zone.tsx";
import { useReleaseSearch } from "./use-release-search.ts";

const route = getRouteApi("/releases/$releaseId");

/** A link that shows its reader the same rows, the same cell and the same sample. */
export function ShareRelease() {
  const router = useRouter();
  const { zone } = useZone();
  const params = route.useParams();
  const { search } = useReleaseSearch();
  const place = router.buildLocation({ to: "/releases/$releaseId", params, search: { ...search, tz: zone } });
  const link = new URL(place.href, globalThis.location.origin).href;
  return (
    <Popover label="Share" look="quiet">
      <Stack>
        <TextField label="Link to what is seen now" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} label="Copy link" />
        <Text size="label" tone="label">{`Filter, cell and zone (${zone}) are written into it.`}</Text>
      </Stack>
    </Popover>
  );
}
