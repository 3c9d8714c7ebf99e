import { fieldOf, type FleetMetricView, type FleetWindow } from "@trainwatch/core";
import { EmptyState, formatInteger, Inset, Section, SkeletonBlock, Text } from "@trainwatch/ui";
import { FanChart, prepareFan, type FanChartProps } from "@trainwatch/ui/charts/fleet";
import { useMemo } from "react";
import { useNow } from "../clock/now.tsx";
import { useFleetWindow, type FleetWindowQuestion } from "../data/fleet.ts";
import { LoadedView } from "../loaded-view/loaded-view.tsx";
import { useZone } from "../zone/zone.tsx";

export interface MetricFanProps {
  readonly question: FleetWindowQuestion;
  /** The entity whose line matters; null where all weigh the same. */
  readonly lit: string | null;
  /** What the line of an entity is called. */
  readonly title: (entityId: string) => string;
  readonly heightPx: number;
  readonly onZoom: (fromMs: number, toMs: number) => void;
  readonly second?: FanChartProps["second"];
  readonly marks?: FanChartProps["marks"];
  readonly accused?: FanChartProps["accused"];
}

/** One metric over wall time, a line a GPU. */
export function MetricFan(props: MetricFanProps) {
  const { question, heightPx } = props;
  const loaded = useFleetWindow(question);
  const title = fieldOf(question.metric)?.title ?? question.metric;
  return (
    <LoadedView loaded={loaded} what={title} skeleton={<SkeletonBlock label={title} heightPx={heightPx} />}>
      {(window) => <Fan {...props} window={window} name={title} />}
    </LoadedView>
  );
}

function Fan({
  window,
  name,
  question,
  lit,
  title,
  heightPx,
  onZoom,
  second,
  marks,
  accused,
}: MetricFanProps & { readonly window: FleetWindow; readonly name: string }) {
  const { zone } = useZone();
  const nowMs = useNow();
  const field = fieldOf(question.metric);
  const words: Pick<FleetMetricView, "unit" | "digits"> = { unit: window.unit, digits: field?.digits ?? 3 };
  const fan = useMemo(
    () =>
      prepareFan({
        window,
        lit,
        title: (series) =>
          [series.entity === null ? "" : title(series.entity.id), ...Object.values(series.labels)].filter((part) => part !== "").join(" "),
      }),
    // `title` names the same entities as long as the window is the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [window, lit],
  );
  const { nonFinite, invalid } = fan.leftOut;
  const notes = [
    `${formatInteger(fan.readings)} readings`,
    ...(window.seriesTotal > window.series.length
      ? [`${formatInteger(window.series.length)} of ${formatInteger(window.seriesTotal)} lines shown`]
      : []),
    ...(nonFinite > 0 ? [`${formatInteger(nonFinite)} not finite`] : []),
    ...(invalid > 0 ? [`${formatInteger(invalid)} that are no readings, left out`] : []),
  ];
  return (
    <Section plain title={name} note={window.isRate ? "a counter, as its rate" : undefined} trailing={<Text>{notes.join(" · ")}</Text>}>
      {window.seriesTotal === 0 ? (
        <EmptyState title="No source sends this of it" />
      ) : (
        <Inset>
          <FanChart
            fan={fan}
            name={name}
            words={words}
            fromMs={window.startMs[0] ?? question.fromMs}
            toMs={window.toMs}
            zone={zone}
            nowMs={nowMs}
            heightPx={heightPx}
            onZoom={onZoom}
            second={second}
            marks={marks}
            accused={accused}
          />
        </Inset>
      )}
    </Section>
  );
}
