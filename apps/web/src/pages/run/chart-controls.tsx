import type { RunDetail } from "@trainwatch/core";
import { LivePill, Segmented, Select, SeverityWord } from "@trainwatch/ui";
import { AXIS_WORDS } from "@trainwatch/ui/charts/prepare";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { useKeys } from "../../keys/keys.tsx";
import { axisOptions, nextAxis, shownAxis } from "./axis-choice.ts";
import { FleetLanesMenu } from "./fleet-lanes/fleet-lanes-menu.tsx";
import { LanesMenu } from "./lanes-menu.tsx";
import { RangeMenu } from "./range-menu.tsx";
import { SMOOTHINGS, without } from "./search.ts";
import { useShownView } from "./shown-view.tsx";
import { useAxisSwitch } from "./use-axis-switch.ts";
import { useRunSearch } from "./use-run-search.ts";

/** Axis, range, smoothing, attempt and lanes of the charts. */
export function ChartControls({ run }: { readonly run: RunDetail }) {
  const { search, go } = useRunSearch();
  const other = dataOf(useRun(search.compare ?? null));
  const { waiting } = useShownView();
  const axis = shownAxis(search.axis, run);
  const options = axisOptions(other === null ? [run] : [run, other]);
  const { switchTo, failure } = useAxisSwitch(run, axis);
  useKeys([{ keys: "x", label: "Next x axis: step, tokens, time", group: "Charts", run: () => switchTo(nextAxis(axis, options)) }]);
  return (
    <>
      {failure === null ? null : (
        <SeverityWord mark="warning" lit>
          {failure}
        </SeverityWord>
      )}
      <LivePill count={waiting} onShow={() => go((before) => without(before, "to"))} />
      <Segmented
        label="x axis"
        value={axis}
        options={options.map(({ axis: value, unavailable }) => ({ value, label: capital(AXIS_WORDS[value]), unavailable }))}
        onChange={switchTo}
      />
      <RangeMenu run={run} axis={axis} />
      <Smoothing />
      {run.attempts.length > 1 ? <AttemptChoice run={run} /> : null}
      <LanesMenu run={run} />
      <FleetLanesMenu />
    </>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function Smoothing() {
  const { search, go } = useRunSearch();
  const options = [
    { value: "off", label: "off" },
    ...SMOOTHINGS.map((constant) => ({ value: String(constant), label: `${constant} steps` })),
  ];
  return (
    <Select
      label="Smoothing of what is drawn: time constant in steps; what it smooths stays under it"
      prefix="Smoothing:"
      value={search.smooth === undefined ? "off" : String(search.smooth)}
      options={options}
      onChange={(value) => go((before) => (value === "off" ? without(before, "smooth") : { ...before, smooth: Number(value) }))}
    />
  );
}

const EFFECTIVE = "";

function AttemptChoice({ run }: { readonly run: RunDetail }) {
  const { search, go } = useRunSearch();
  const options = [{ value: EFFECTIVE, label: "effective view" }, ...run.attempts.map(({ name }) => ({ value: name, label: name }))];
  return (
    <Select
      label="Attempt: what today's weights have seen, or one launch alone"
      prefix="Attempt:"
      value={run.attempts.some(({ name }) => name === search.attempt) ? (search.attempt ?? EFFECTIVE) : EFFECTIVE}
      options={options}
      onChange={(attempt) => go((before) => (attempt === EFFECTIVE ? without(before, "attempt") : { ...before, attempt }))}
    />
  );
}
