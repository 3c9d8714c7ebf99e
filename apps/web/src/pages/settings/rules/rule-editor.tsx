import type { DetectorView, StoredRule } from "@trainwatch/core";
import { ActionRow, Button, Checkbox, Columns, EmptyState, Inset, Notice, Section, Select, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";
import { useRuleVerbs } from "../../../data/rules.ts";
import { ScopeField } from "../../../rule-scope/scope-field.tsx";
import { BacktestPanel } from "./backtest-panel.tsx";
import { MetricFields } from "./metric-fields.tsx";
import { ParameterFields } from "./parameter-fields.tsx";
import { ruleOf, type RuleDraft } from "./rule-draft.ts";

export interface RuleEditorProps {
  readonly stored: StoredRule | null;
  readonly initial: RuleDraft;
  readonly catalogue: readonly DetectorView[];
  readonly onClose: () => void;
}

/** A rule's form, and beside it what it would have said. */
export function RuleEditor({ stored, initial, catalogue, onClose }: RuleEditorProps) {
  const [draft, setDraft] = useState(initial);
  const [isTouched, setTouched] = useState(false);
  const { create, update } = useRuleVerbs();
  const detector = draft.kind === "detector" ? (catalogue.find(({ id }) => id === draft.detector) ?? null) : null;
  const read = ruleOf(draft, detector);
  const faults = isTouched && "faults" in read ? read.faults : {};
  const failure = create.failure ?? update.failure;
  const rule = "rule" in read ? read.rule : null;
  const save = (): void => {
    setTouched(true);
    if (rule === null) return;
    if (stored === null) create.send(rule, onClose);
    else update.send({ ruleId: stored.id, rule }, onClose);
  };
  if (draft.kind === "detector" && detector === null) {
    return (
      <EmptyState title="There is no such detector" action={<Button onClick={onClose}>Back to the rules</Button>}>
        {draft.detector}
      </EmptyState>
    );
  }
  return (
    <Columns
      size="evidence"
      asideLabel="Back-test"
      aside={<BacktestPanel rule={rule} family={detector?.family ?? "metric"} onTouch={() => setTouched(true)} />}
    >
      <Section
        title={title(stored, draft, detector)}
        trailing={
          <Button size="small" kind="quiet" onClick={onClose}>
            Back to the rules
          </Button>
        }
      >
        <Inset>
          <Stack gap={4}>
            {detector === null ? null : <Text tone="text">{detector.finds}</Text>}
            <Checkbox
              label={draft.kind === "detector" ? "The detector runs" : "The threshold is watched"}
              checked={draft.enabled}
              onChange={() => setDraft({ ...draft, enabled: !draft.enabled })}
            />
            {draft.kind === "metric" ? (
              <MetricFields draft={draft} faults={faults} onChange={setDraft} />
            ) : (
              <ParameterFields draft={draft} detector={detector} faults={faults} onChange={setDraft} />
            )}
            <SeverityField draft={draft} onChange={setDraft} />
            <ScopeField draft={draft.scope} onChange={(scope) => setDraft({ ...draft, scope })} />
            {faults["scope"] === undefined ? null : <Text tone="critical">{faults["scope"]}</Text>}
            {failure === null ? null : (
              <Notice mark="warning" lit>
                {failure.message}
              </Notice>
            )}
          </Stack>
        </Inset>
        <ActionRow>
          <Button kind="primary" disabled={create.isSending || update.isSending} onClick={save}>
            {stored === null ? "Make rule" : "Save"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Text size="label" tone="label">
            It holds for what is judged from then on.
          </Text>
        </ActionRow>
      </Section>
    </Columns>
  );
}

function title(stored: StoredRule | null, draft: RuleDraft, detector: DetectorView | null): string {
  if (draft.kind === "metric")
    return stored === null ? "New threshold" : `Threshold “${stored.rule.kind === "metric" ? stored.rule.title : ""}”`;
  return `${stored === null ? "Change" : "Rule on"} ${detector?.title ?? draft.detector}`;
}

const AS_IT_SAYS = "";

function SeverityField({ draft, onChange }: { readonly draft: RuleDraft; readonly onChange: (draft: RuleDraft) => void }) {
  const known = [
    { value: "critical", label: "critical: it pages" },
    { value: "warning", label: "warning: a ticket" },
    { value: "info", label: "info: a note, nobody is told" },
  ] as const;
  if (draft.kind === "metric") {
    return (
      <Select
        label="Severity"
        prefix="Told as:"
        value={draft.severity}
        options={known}
        onChange={(severity) => onChange({ ...draft, severity })}
      />
    );
  }
  return (
    <Select
      label="Severity"
      prefix="Told as:"
      value={draft.severity}
      options={[{ value: AS_IT_SAYS, label: "as the detector says" }, ...known]}
      onChange={(severity) => onChange({ ...draft, severity })}
    />
  );
}
