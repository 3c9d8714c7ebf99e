import { TRAINING_METRICS } from "@trainwatch/core";
import { metricTitle, metricUnit, Inline, Segmented, Stack, TextField } from "@trainwatch/ui";
import { dataOf } from "../../../data/loaded.ts";
import { useMetricKeys } from "../../../data/runs.ts";
import type { MetricDraft, RuleFaults } from "./rule-draft.ts";

export interface MetricFieldsProps {
  readonly draft: MetricDraft;
  readonly faults: RuleFaults;
  readonly onChange: (draft: MetricDraft) => void;
}

const CANONICAL = TRAINING_METRICS.map(({ name }) => name);
const OFFERED = 200;

/** A threshold in the order in which it is read: what, above or below which value, for how long. */
export function MetricFields({ draft, faults, onChange }: MetricFieldsProps) {
  const unit = metricUnit(draft.metric, null);
  const withUnit = (label: string): string => (unit === "" ? label : `${label} (${unit})`);
  return (
    <Stack gap={3}>
      <TextField
        label="Title: what somebody is told"
        value={draft.title}
        onChange={(event) => onChange({ ...draft, title: event.target.value })}
        error={faults["title"] ?? null}
        maxLength={128}
      />
      {draft.scope.kind === "run" && draft.scope.runId !== null ? (
        <OwnMetrics runId={draft.scope.runId} draft={draft} faults={faults} onChange={onChange} />
      ) : (
        <MetricName options={CANONICAL} draft={draft} faults={faults} onChange={onChange} />
      )}
      <Inline gap={3} align="start" wrap>
        <Segmented
          label="Condition"
          value={draft.condition}
          onChange={(condition) => onChange({ ...draft, condition })}
          options={[
            { value: "above", label: "above" },
            { value: "below", label: "below" },
          ]}
        />
        <TextField
          label={withUnit("Threshold")}
          inputMode="decimal"
          value={draft.value}
          onChange={(event) => onChange({ ...draft, value: event.target.value })}
          error={faults["value"] ?? null}
        />
      </Inline>
      <TextField
        label="Logged points in a row before it speaks"
        inputMode="numeric"
        value={draft.forPoints}
        onChange={(event) => onChange({ ...draft, forPoints: event.target.value })}
        error={faults["forPoints"] ?? null}
      />
      <TextField
        label={withUnit("Over once it is back at")}
        inputMode="decimal"
        value={draft.recoverValue}
        onChange={(event) => onChange({ ...draft, recoverValue: event.target.value })}
        error={faults["recoverValue"] ?? null}
        hint="Left empty: on the other side of the threshold. A value some way back keeps it from flapping."
      />
    </Stack>
  );
}

function OwnMetrics({ runId, ...rest }: MetricFieldsProps & { readonly runId: number }) {
  const keys = dataOf(useMetricKeys({ runId, search: "", cursor: null, limit: OFFERED }));
  return <MetricName options={keys?.items.map(({ metric }) => metric) ?? CANONICAL} {...rest} />;
}

function MetricName({ options, draft, faults, onChange }: MetricFieldsProps & { readonly options: readonly string[] }) {
  const title = metricTitle(draft.metric);
  return (
    <TextField
      label="Metric"
      value={draft.metric}
      onChange={(event) => onChange({ ...draft, metric: event.target.value })}
      options={options}
      error={faults["metric"] ?? null}
      hint={title === draft.metric ? "As the run logs it" : title}
      spellCheck={false}
      autoComplete="off"
      maxLength={256}
    />
  );
}
