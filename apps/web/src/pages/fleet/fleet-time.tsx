import type { FleetMetricView } from "@trainwatch/core";
import {
  Button,
  formatDateTime,
  formatInteger,
  formatRelative,
  Inline,
  Inset,
  Notice,
  Popover,
  SkeletonBlock,
  Stack,
  Text,
} from "@trainwatch/ui";
import { TimeStrip } from "@trainwatch/ui/charts/fleet";
import { useEffect, useState } from "react";
import { useNow } from "../../clock/now.tsx";
import { useFleetTimeline } from "../../data/fleet.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { useZone } from "../../zone/zone.tsx";
import { ShareFleet } from "./share-fleet.tsx";
import { without } from "./search.ts";
import { frameCount, LIVE_WINDOW_MS, shownWindow, SLIDER_STEP_MS } from "./shown-window.ts";
import { useFleetSearch } from "./use-fleet-search.ts";
import type { FleetView } from "./use-fleet-view.ts";
import type { Play } from "./use-play.ts";

/** The slider asks for a frame once it has rested for so long: not for each that it passes. */
const REST_MS = 120;
const STRIP_PX = 58;
const MINUTE_MS = 60_000;
const MAX_BUCKETS = 240;

export interface FleetTimeProps {
  readonly view: FleetView;
  readonly metric: FleetMetricView;
  readonly play: Play;
}

/** Which time is on show, what happened around it, and the ways to move it. */
export function FleetTime({ view, metric, play }: FleetTimeProps) {
  const { search, go, adjust } = useFleetSearch();
  const { zone } = useZone();
  const nowMs = useNow();
  const window = shownWindow(search, nowMs);
  const [draft, setDraft] = useState<number | null>(null);
  const buckets = Math.min(MAX_BUCKETS, Math.max(1, Math.round((window.toMs - window.fromMs) / MINUTE_MS)));
  const timeline = useFleetTimeline({ fromMs: window.fromMs, toMs: window.toMs, buckets });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => {
      adjust((before) => ({ ...before, at: draft }));
      setDraft(null);
    }, REST_MS);
    return () => clearTimeout(timer);
    // `adjust` is a new function with each render; the draft alone decides.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft]);
  const togglePlay = (): void => {
    if (!play.isPlaying) {
      play.start({ metric: metric.name, fromMs: window.fromMs, toMs: window.toMs, count: frameCount(view.layout.gpu.id.length) });
      return;
    }
    const atMs = play.stop();
    if (atMs !== null) go((before) => ({ ...before, at: Math.round(atMs), from: window.fromMs, to: window.toMs }));
  };
  useKeys([{ keys: "o", label: "Play the window, or stop", group: "Charts", run: togglePlay }]);
  const isLive = search.at === undefined && !play.isPlaying;
  const atMs = draft ?? (play.isPlaying ? view.frame.atMs : (search.at ?? window.toMs));
  const isBehind = draft !== null || (!play.isPlaying && search.at !== undefined && view.frame.atMs !== search.at);
  const move = (next: number): void => {
    if (play.isPlaying) play.stop();
    setDraft(next);
  };
  return (
    <section aria-label="Time">
      <LoadedView loaded={timeline} what="The events of this window" skeleton={<SkeletonBlock label="events" heightPx={STRIP_PX} />}>
        {(data) => (
          <TimeStrip
            timeline={{ ...data, fromMs: window.fromMs, toMs: window.toMs }}
            atMs={atMs}
            isLive={window.isOpen}
            stepMs={SLIDER_STEP_MS}
            zone={zone}
            nowMs={nowMs}
            isPlaying={play.isPlaying}
            onAt={move}
            onPlay={togglePlay}
          />
        )}
      </LoadedView>
      <Inset foot>
        <Inline gap={3} justify="between" wrap>
          <Text tone="label">
            Events {buckets * MINUTE_MS >= window.toMs - window.fromMs ? "per minute" : "by time"}, fleet. UUIDs are those that sat in the
            slots at that time.
          </Text>
          <Inline gap={3}>
            <WindowChoice />
            <ShareFleet view={view} window={window} />
            {isLive ? (
              <Text tone="value" weight="medium">
                Shown live
              </Text>
            ) : (
              <>
                <Text tone="value" weight="medium">
                  {`${isBehind ? "On its way: " : "Shown as at "}${formatDateTime(atMs, zone, nowMs)}, ${formatRelative(atMs, nowMs)}`}
                </Text>
                <Button
                  size="small"
                  kind="quiet"
                  onClick={() => {
                    if (play.isPlaying) play.stop();
                    setDraft(null);
                    go((before) => without(before, "at", "from", "to"));
                  }}
                >
                  Back to live
                </Button>
              </>
            )}
          </Inline>
        </Inline>
      </Inset>
      {view.eventsTotal > view.events.length ? (
        <Notice mark="unknown">{`Marks are of the newest ${formatInteger(view.events.length)} of ${formatInteger(view.eventsTotal)} bursts of events`}</Notice>
      ) : null}
    </section>
  );
}

const SPANS = [
  { label: "15 minutes", ms: 15 * MINUTE_MS },
  { label: "1 hour", ms: LIVE_WINDOW_MS },
  { label: "6 hours", ms: 6 * LIVE_WINDOW_MS },
  { label: "24 hours", ms: 24 * LIVE_WINDOW_MS },
  { label: "7 days", ms: 7 * 24 * LIVE_WINDOW_MS },
] as const;

/** Another stretch for the slider, ending where the present one ends. */
function WindowChoice() {
  const { search, go } = useFleetSearch();
  const nowMs = useNow();
  const { zone } = useZone();
  const [open, setOpen] = useState(false);
  const window = shownWindow(search, nowMs);
  const word = SPANS.find(({ ms }) => ms === window.toMs - window.fromMs)?.label ?? `since ${formatDateTime(window.fromMs, zone, nowMs)}`;
  return (
    <Popover label={`Window: ${word}`} open={open} onOpenChange={setOpen} look="quiet">
      <Stack gap={1}>
        {SPANS.map(({ label, ms }) => (
          <Button
            key={label}
            size="small"
            kind="quiet"
            onClick={() => {
              setOpen(false);
              go((before) => ({
                ...before,
                from: window.toMs - ms,
                to: window.toMs,
                ...(before.at === undefined ? {} : { at: Math.max(before.at, window.toMs - ms) }),
              }));
            }}
          >
            {label}
          </Button>
        ))}
      </Stack>
    </Popover>
  );
}
