import { useRouter } from "@tanstack/react-router";
import type { RunDetail } from "@trainwatch/core";
import { CopyButton, Popover, Stack, Text, TextField } from "@trainwatch/ui";
import { useZone } from "../../zone/zone.tsx";
import { absoluteSearch } from "./absolute-search.ts";
import { shownAxis } from "./axis-choice.ts";
import { useShownView } from "./shown-view.tsx";
import { useRunSearch } from "./use-run-search.ts";

/** A link that shows its reader what is seen now, and one that goes on with the run (H1). */
export function ShareRun({ run }: { readonly run: RunDetail }) {
  const router = useRouter();
  const { zone } = useZone();
  const { search } = useRunSearch();
  const { ends } = useShownView();
  const href = (parameters: object): string =>
    new URL(router.buildLocation({ to: "/runs/$runId", params: { runId: run.id }, search: parameters }).href, window.location.origin).href;
  const absolute = href({ ...absoluteSearch(search, shownAxis(search.axis, run), ends), tz: zone });
  const live = href(search);
  const isLive = search.to === undefined;
  return (
    <Popover label="Share" look="quiet">
      <Stack>
        <TextField label="Link to what is seen now" readOnly value={absolute} onFocus={(event) => event.target.select()} />
        <CopyButton text={absolute} label="Copy link" />
        <Text size="label" tone="label">{`Range and zone (${zone}) are written into it: it shows the same later on.`}</Text>
        {isLive ? (
          <>
            <TextField label="Live link" readOnly value={live} onFocus={(event) => event.target.select()} />
            <CopyButton text={live} label="Copy live link" />
            <Text size="label" tone="label">
              Shows the newest points whenever it is opened.
            </Text>
          </>
        ) : null}
      </Stack>
    </Popover>
  );
}
