import { DIMENSION_TITLES, DIMENSIONS, MOST_GATES, type Dimension, type ReleaseDetail, type ReleaseRow } from "@trainwatch/core";
import { Button, Dialog, Inline, Rule, Select, Stack, Text, TextField } from "@trainwatch/ui";
import { useMemo, useState } from "react";
import { useReleaseVerbs } from "../../data/releases.ts";
import { amountUnit, draftOf, GATE_KIND_WORDS, GATE_KINDS, gateOf, newGateDraft, type GateDraft } from "./gate-draft.ts";

/** Writes down what a candidate must hold to; all of it at once, so that the time of fixing is one. */
export function GatesDialog({ detail, onClose }: { readonly detail: ReleaseDetail; readonly onClose: () => void }) {
  const { rows } = detail.comparison;
  const { fixGates } = useReleaseVerbs();
  const [drafts, setDrafts] = useState<readonly GateDraft[]>(() =>
    detail.gateViews.length === 0 ? [newGateDraft(1, rows[0])] : detail.gateViews.map(({ gate }, index) => draftOf(index + 1, gate, rows)),
  );
  const read = drafts.map((draft) => gateOf(draft, rows));
  const gates = read.flatMap(({ gate }) => (gate === null ? [] : [gate]));
  const isWhole = gates.length === drafts.length && drafts.length > 0;
  const overrides = detail.gateViews.flatMap(({ cells }) => cells.filter(({ override }) => override !== null)).length;
  const change = (id: number, next: Partial<GateDraft>): void =>
    setDrafts((before) => before.map((draft) => (draft.id === id ? { ...draft, ...next } : draft)));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title="Which criteria must a candidate hold to?"
      description="They are filled in by the comparison. When they were fixed, and how many results were there by then, stands on the page and in the frozen copy."
      actions={
        <>
          <Button
            kind="primary"
            disabled={!isWhole || fixGates.isSending}
            onClick={() => fixGates.send({ releaseId: detail.releaseId, gates }, onClose)}
          >
            {gates.length === 1 ? "Fix 1 gate" : `Fix ${gates.length} gates`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {fixGates.failure === null ? null : <Text tone="warning">{fixGates.failure.message}</Text>}
        </>
      }
    >
      <Stack gap={3}>
        {overrides === 0 ? null : (
          <Text tone="warning">{`Fixed anew, ${overrides === 1 ? "the override" : `all ${overrides} overrides`} of gates will be gone; the audit trail keeps them.`}</Text>
        )}
        {drafts.map((draft, index) => (
          <Stack key={draft.id} gap={2}>
            {index === 0 ? null : <Rule />}
            <GateFields
              draft={draft}
              position={index + 1}
              rows={rows}
              fault={read[index]?.fault ?? null}
              onChange={(next) => change(draft.id, next)}
              onRemove={() => setDrafts((before) => before.filter(({ id }) => id !== draft.id))}
            />
          </Stack>
        ))}
        <Inline>
          <Button
            size="small"
            disabled={drafts.length >= MOST_GATES}
            onClick={() => setDrafts((before) => [...before, newGateDraft(Math.max(0, ...before.map(({ id }) => id)) + 1, rows[0])])}
          >
            Add a gate
          </Button>
        </Inline>
      </Stack>
    </Dialog>
  );
}

interface GateFieldsProps {
  readonly draft: GateDraft;
  readonly position: number;
  readonly rows: readonly ReleaseRow[];
  readonly fault: string | null;
  readonly onChange: (next: Partial<GateDraft>) => void;
  readonly onRemove: () => void;
}

function GateFields({ draft, position, rows, fault, onChange, onRemove }: GateFieldsProps) {
  const row = rows.find(({ key }) => key === draft.row);
  const unit = amountUnit(draft, row);
  const named = `gate ${position}`;
  const isOfRow = draft.kind === "no-loss" || draft.kind === "limit";
  return (
    <Inline wrap align="start" gap={3}>
      <Select
        label={`Kind of ${named}`}
        value={draft.kind}
        options={GATE_KINDS.map((value) => ({
          value,
          label: GATE_KIND_WORDS[value],
          unavailable: rows.length === 0 && (value === "no-loss" || value === "limit") ? "No row has a result yet" : null,
        }))}
        onChange={(kind) => onChange({ kind })}
      />
      {isOfRow ? <RowChoice label={`Row of ${named}`} rows={rows} value={draft.row} onChange={(key) => onChange({ row: key })} /> : null}
      {draft.kind === "limit" ? (
        <Select
          label={`Bound of ${named}`}
          value={draft.bound}
          options={[
            { value: "at-least", label: "at least" },
            { value: "at-most", label: "at most" },
          ]}
          onChange={(bound) => onChange({ bound })}
        />
      ) : null}
      {draft.kind === "worse-rows" ? (
        <DimensionChoice label={`Dimension of ${named}`} value={draft.dimension} onChange={(dimension) => onChange({ dimension })} />
      ) : null}
      {isOfRow || draft.kind === "worse-rows" ? (
        <TextField
          label={`${draft.kind === "no-loss" ? "Most lost" : draft.kind === "limit" ? "Value" : "Most rows worse"}${unit === "" ? "" : `, ${unit}`}, ${named}`}
          inputMode="decimal"
          value={draft.amount}
          onChange={(event) => onChange({ amount: event.target.value })}
        />
      ) : null}
      {isOfRow ? (
        <TextField
          label={`Shown with confidence, %, ${named}`}
          inputMode="decimal"
          value={draft.confidence}
          hint={draft.kind === "limit" ? "empty: the value as measured" : undefined}
          onChange={(event) => onChange({ confidence: event.target.value })}
        />
      ) : null}
      <Button size="small" kind="quiet" aria-label={`Remove ${named}`} onClick={onRemove}>
        Remove
      </Button>
      {fault === null ? null : <Text tone="warning">{fault}</Text>}
    </Inline>
  );
}

interface RowChoiceProps {
  readonly label: string;
  readonly rows: readonly ReleaseRow[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function RowChoice({ label, rows, value, onChange }: RowChoiceProps) {
  const options = useMemo(
    () =>
      rows.map(({ key, title, metric, filter }) => ({ value: key, label: `${title}, ${metric}${filter === null ? "" : `, ${filter}`}` })),
    [rows],
  );
  const isThere = options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      value={value}
      options={isThere ? options : [{ value, label: value === "" ? "Choose a row" : `${value}: not measured yet` }, ...options]}
      onChange={onChange}
    />
  );
}

const ANY = "any";

interface DimensionChoiceProps {
  readonly label: string;
  readonly value: Dimension | null;
  readonly onChange: (dimension: Dimension | null) => void;
}

function DimensionChoice({ label, value, onChange }: DimensionChoiceProps) {
  const options: readonly { readonly value: Dimension | typeof ANY; readonly label: string }[] = [
    { value: ANY, label: "of all rows" },
    ...DIMENSIONS.map((dimension) => ({ value: dimension, label: `of ${DIMENSION_TITLES[dimension].split(";")[0] ?? dimension}` })),
  ];
  return <Select label={label} value={value ?? ANY} options={options} onChange={(next) => onChange(next === ANY ? null : next)} />;
}
