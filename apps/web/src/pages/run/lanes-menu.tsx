import type { MetricKey, RunDetail } from "@trainwatch/core";
import {
  Button,
  Checkbox,
  EmptyState,
  formatCount,
  formatInteger,
  Inline,
  metricTitle,
  Popover,
  SkeletonRows,
  Stack,
  Text,
  TextField,
} from "@trainwatch/ui";
import { useState } from "react";
import { useMetricKeys } from "../../data/runs.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { MAX_LANES } from "./search.ts";
import { useLaneChoice } from "./use-lane-choice.ts";

const PAGE = 12;

/** Chooses what is drawn. Names are searched and paged by the server: a run may have ten thousand. */
export function LanesMenu({ run }: { readonly run: RunDetail }) {
  const { chosen, isUsual, reset } = useLaneChoice();
  const label = isUsual ? "Lanes: usual" : `Lanes: ${formatInteger(chosen.length)}`;
  return (
    <Popover label={label}>
      <Stack>
        <MetricSearch run={run} />
        {isUsual ? null : (
          <Inline>
            <Button size="small" onClick={reset}>
              The usual lanes
            </Button>
          </Inline>
        )}
      </Stack>
    </Popover>
  );
}

function MetricSearch({ run }: { readonly run: RunDetail }) {
  const [text, setText] = useState("");
  const [cursor, setCursor] = useState<string | null>(null);
  const keys = useMetricKeys({ runId: run.id, search: text, cursor, limit: PAGE });
  const search = (next: string): void => {
    setText(next);
    setCursor(null);
  };
  return (
    <>
      <TextField
        label="Metric"
        placeholder="Part of a name"
        value={text}
        onChange={(event) => search(event.target.value)}
        autoComplete="off"
      />
      <LoadedView loaded={keys} what="The metrics" skeleton={<SkeletonRows label="metrics" rows={6} heightPx={24} />}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title="No metric has that in its name" />
          ) : (
            <Stack gap={1}>
              {page.items.map((key) => (
                <LaneCheckbox key={key.metric} metricKey={key} />
              ))}
              <Inline justify="between">
                <Text size="label" tone="label">
                  {formatCount(page.total, "metric")}
                </Text>
                <Inline>
                  {cursor === null ? null : (
                    <Button size="small" kind="quiet" onClick={() => setCursor(null)}>
                      First
                    </Button>
                  )}
                  {page.next === null ? null : (
                    <Button size="small" kind="quiet" onClick={() => setCursor(page.next)}>
                      More
                    </Button>
                  )}
                </Inline>
              </Inline>
            </Stack>
          )
        }
      </LoadedView>
    </>
  );
}

/** One metric as a lane or not; at most eight lanes. */
export function LaneCheckbox({ metricKey, labelled = true }: { readonly metricKey: MetricKey; readonly labelled?: boolean | undefined }) {
  const { isShown, toggle, chosen } = useLaneChoice();
  const shown = isShown(metricKey.metric);
  const full = !shown && chosen.length >= MAX_LANES;
  const title = metricTitle(metricKey.metric);
  return (
    <Checkbox
      label={labelled ? title : "lane"}
      aria-label={`Draw ${title}`}
      note={labelled && title !== metricKey.metric ? metricKey.metric : undefined}
      checked={shown}
      disabled={full}
      title={full ? `At most ${MAX_LANES} lanes` : undefined}
      onChange={() => toggle(metricKey.metric)}
    />
  );
}
