import { useNavigate } from "@tanstack/react-router";
import type { ReleaseDetail } from "@trainwatch/core";
import { Button, Chip, Dialog, Inline, Select, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useReleaseVerbs } from "../../data/releases.ts";
import {
  CORRECTION_LABELS,
  CORRECTIONS,
  draftOfRelease,
  NEW_DRAFT,
  specOf,
  toggleCandidate,
  type DraftProps,
  type ReleaseDraft,
} from "./release-draft.ts";
import { ScorecardChoice } from "./scorecard-choice.tsx";

export interface ReleaseDialogProps {
  /** Null: a new one. */
  readonly detail: ReleaseDetail | null;
  readonly onClose: () => void;
}

/** What is compared and how: baseline, candidates, correction, margin, who signs. */
export function ReleaseDialog({ detail, onClose }: ReleaseDialogProps) {
  const navigate = useNavigate();
  const { create, update } = useReleaseVerbs();
  const [draft, setDraft] = useState<ReleaseDraft>(() => (detail === null ? NEW_DRAFT : draftOfRelease(detail)));
  const { spec, fault } = specOf(draft);
  const failure = create.failure ?? update.failure;
  const send = (): void => {
    if (spec === null) return;
    if (detail !== null) update.send({ releaseId: detail.releaseId, spec }, onClose);
    else create.send(spec, ({ releaseId }) => void navigate({ to: "/releases/$releaseId", params: { releaseId } }));
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title={detail === null ? "Compare which checkpoints?" : `Change what ${detail.spec.name} compares?`}
      description="One baseline, and candidates that are judged against it row by row."
      actions={
        <>
          <Button kind="primary" disabled={spec === null || create.isSending || update.isSending} onClick={send}>
            {detail === null ? "Compare" : "Save"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {failure === null ? fault === null ? null : <Text tone="label">{fault}</Text> : <Text tone="warning">{failure.message}</Text>}
        </>
      }
    >
      <Stack gap={3}>
        <Fields draft={draft} onChange={setDraft} />
        <ChosenLine draft={draft} onChange={setDraft} />
        <ScorecardChoice draft={draft} onChange={setDraft} />
      </Stack>
    </Dialog>
  );
}

function Fields({ draft, onChange }: DraftProps) {
  const set = (next: Partial<ReleaseDraft>): void => onChange({ ...draft, ...next });
  return (
    <Inline wrap gap={3} align="start">
      <TextField label="Name" value={draft.name} placeholder="chat-70b 2.4" onChange={(event) => set({ name: event.target.value })} />
      <TextField
        label="Who signs, by role"
        value={draft.signers}
        placeholder="Safety, Serving, Owner"
        onChange={(event) => set({ signers: event.target.value })}
      />
      <TextField
        label="Loss that does not matter, % of the scale"
        inputMode="decimal"
        value={draft.margin}
        onChange={(event) => set({ margin: event.target.value })}
      />
      <TextField label="Confidence, %" inputMode="decimal" value={draft.level} onChange={(event) => set({ level: event.target.value })} />
      <Select
        label="Correction for many tests"
        value={draft.correction}
        options={CORRECTIONS.map((value) => ({ value, label: CORRECTION_LABELS[value] }))}
        onChange={(correction) => set({ correction })}
      />
    </Inline>
  );
}

/** What has been chosen so far; a press takes a candidate out. */
function ChosenLine({ draft, onChange }: DraftProps) {
  return (
    <Inline wrap>
      <Text tone="label">Baseline:</Text>
      {draft.baseline === null ? <Text tone="label">none yet</Text> : <Chip tone="accent">{draft.baseline.label}</Chip>}
      <Text tone="label">Candidates:</Text>
      {draft.candidates.length === 0 ? <Text tone="label">none yet</Text> : null}
      {draft.candidates.map((chosen) => (
        <Button key={chosen.scorecardId} size="small" title="Take it out" onClick={() => onChange(toggleCandidate(draft, chosen))}>
          {chosen.label}
        </Button>
      ))}
    </Inline>
  );
}
