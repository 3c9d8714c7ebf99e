import type { RunDetail } from "@trainwatch/core";
import {
  Button,
  Cell,
  EmptyState,
  formatCount,
  formatInteger,
  HeadCell,
  Inline,
  Inset,
  metricTitle,
  metricUnit,
  Row,
  SkeletonRows,
  Table,
  Text,
  TextField,
  Toolbar,
} from "@trainwatch/ui";
import { useState } from "react";
import { useMetricKeys } from "../../data/runs.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { LaneCheckbox } from "./lanes-menu.tsx";

const PAGE = 50;

/** Every metric of the run by name; those that are ticked are lanes of the charts. */
export function RunMetrics({ run }: { readonly run: RunDetail }) {
  const [text, setText] = useState("");
  const [cursor, setCursor] = useState<string | null>(null);
  const keys = useMetricKeys({ runId: run.id, search: text, cursor, limit: PAGE });
  return (
    <>
      <Toolbar label="Metrics">
        <TextField
          label="Metric"
          labelHidden
          placeholder="Part of a name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setCursor(null);
          }}
          autoComplete="off"
        />
      </Toolbar>
      <LoadedView loaded={keys} what="The metrics" skeleton={<SkeletonRows label="metrics" rows={12} />}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title={text === "" ? "No metrics" : "No metric has that in its name"} />
          ) : (
            <>
              <Table
                label="Metrics"
                head={
                  <>
                    <HeadCell>Draw</HeadCell>
                    <HeadCell>Metric</HeadCell>
                    <HeadCell wide>Unit</HeadCell>
                    <HeadCell wide>Labels</HeadCell>
                    <HeadCell numeric>Series</HeadCell>
                    <HeadCell numeric>Points</HeadCell>
                  </>
                }
              >
                {page.items.map((key) => (
                  <Row key={key.metric}>
                    <Cell>
                      <LaneCheckbox metricKey={key} labelled={false} />
                    </Cell>
                    <Cell maxWidthPx={420} title={key.metric}>
                      {metricTitle(key.metric)}{" "}
                      {metricTitle(key.metric) === key.metric ? null : (
                        <Text tone="label" mono>
                          {key.metric}
                        </Text>
                      )}
                    </Cell>
                    <Cell wide>
                      <Text tone="label">{metricUnit(key.metric, key.unit)}</Text>
                    </Cell>
                    <Cell wide>
                      <Text tone="label">{key.labelNames.join(", ")}</Text>
                    </Cell>
                    <Cell numeric>{formatInteger(key.series)}</Cell>
                    <Cell numeric>{formatInteger(key.points)}</Cell>
                  </Row>
                ))}
              </Table>
              <Inset>
                <Inline>
                  <Text tone="label" size="label">
                    {formatCount(page.total, "metric")}
                  </Text>
                  {cursor === null ? null : (
                    <Button size="small" kind="quiet" onClick={() => setCursor(null)}>
                      First page
                    </Button>
                  )}
                  {page.next === null ? null : (
                    <Button size="small" kind="quiet" onClick={() => setCursor(page.next)}>
                      Next page
                    </Button>
                  )}
                </Inline>
              </Inset>
            </>
          )
        }
      </LoadedView>
    </>
  );
}
