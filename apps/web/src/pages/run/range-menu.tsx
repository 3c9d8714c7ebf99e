import type { Axis, RunDetail } from "@trainwatch/core";
import { Button, Inline, Popover, Stack, TextField } from "@trainwatch/ui";
import { useState, type FormEvent } from "react";
import { useNow } from "../../clock/now.tsx";
import { useZone } from "../../zone/zone.tsx";
import { endField, rangeText, readEnd } from "./range-text.ts";
import { without } from "./search.ts";
import { useShownView } from "./shown-view.tsx";
import { useRunSearch } from "./use-run-search.ts";

/** What the charts show, in words, and the ways to change it without a pointer. */
export function RangeMenu({ run, axis }: { readonly run: RunDetail; readonly axis: Axis }) {
  const [open, setOpen] = useState(false);
  const { search, go } = useRunSearch();
  const { ends } = useShownView();
  const { zone } = useZone();
  const nowMs = useNow();
  const isLive = search.to === undefined && run.state === "running";
  const isWhole = search.from === undefined && search.to === undefined;
  return (
    <Popover label={rangeText(ends, isLive, { axis, zone, nowMs })} open={open} onOpenChange={setOpen}>
      <Stack>
        <Ends key={`${axis} ${search.from} ${search.to}`} axis={axis} onDone={() => setOpen(false)} />
        <Inline wrap>
          <Button size="small" disabled={isWhole} onClick={() => go((before) => without(before, "from", "to"))}>
            Whole run
          </Button>
          <Button size="small" disabled={search.to === undefined} onClick={() => go((before) => without(before, "to"))}>
            To the newest point
          </Button>
        </Inline>
      </Stack>
    </Popover>
  );
}

const HINT = { step: "a step", tokens: "tokens", time: "ISO 8601, UTC unless it says otherwise" } as const;

function Ends({ axis, onDone }: { readonly axis: Axis; readonly onDone: () => void }) {
  const { search, go } = useRunSearch();
  const [from, setFrom] = useState(() => endField(axis, search.from));
  const [to, setTo] = useState(() => endField(axis, search.to));
  const low = readEnd(axis, from);
  const high = readEnd(axis, to);
  const unreadable = `Not ${HINT[axis]}`;
  const backwards = typeof low === "number" && typeof high === "number" && high <= low;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (low === null || high === null || backwards) return;
    go((before) => ({
      ...without(before, "from", "to"),
      axis,
      ...(low === undefined ? {} : { from: low }),
      ...(high === undefined ? {} : { to: high }),
    }));
    onDone();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextField
          label={`From (${axis})`}
          placeholder="the beginning"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
          error={low === null ? unreadable : null}
          hint={HINT[axis]}
        />
        <TextField
          label={`To (${axis})`}
          placeholder="the newest, live"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={high === null ? unreadable : backwards ? "Ends before it begins" : null}
        />
        <Inline>
          <Button type="submit" size="small">
            Show
          </Button>
        </Inline>
      </Stack>
    </form>
  );
}
