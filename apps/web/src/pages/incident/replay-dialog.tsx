import { gpuOfFinding, nodeOfFinding, REPLAY_KINDS, rolesOf, type IncidentDetail, type Replay } from "@trainwatch/core";
import { Button, Dialog, Notice, Segmented, Stack, Text, TextArea, TextField } from "@trainwatch/ui";
import { useMemo, useState } from "react";
import { useRecordReplay } from "../../data/replays.ts";
import { readInteger } from "../../url/read.ts";
import { suspicionMove } from "../../words/cause-words.ts";
import { hardwareShare, REPLAY_NOTES, REPLAY_WORDS, replayOutcome, type ReplayKind } from "../../words/replay-words.ts";

interface ReplayDialogProps {
  readonly incident: IncidentDetail;
  readonly runId: number;
  readonly onClose: () => void;
}

/** Records what a replay gave. The two kinds answer different questions, and are asked for apart. */
export function ReplayDialog({ incident, runId, onClose }: ReplayDialogProps) {
  const suspect = useMemo(() => suspectOf(incident), [incident]);
  const [kind, setKind] = useState<ReplayKind>("step-elsewhere");
  const [outcome, setOutcome] = useState<Replay["outcome"]>("agreed");
  const [stepText, setStep] = useState(incident.onsetStep === null ? "" : String(incident.onsetStep));
  const [runsText, setRuns] = useState("1");
  const [gpuId, setGpu] = useState(suspect.gpuId ?? "");
  const [note, setNote] = useState("");
  const [recorded, setRecorded] = useState<{ readonly replay: Pick<Replay, "runs" | "outcome">; readonly before: number | null } | null>(
    null,
  );
  const record = useRecordReplay();
  if (recorded !== null) return <Recorded incident={incident} {...recorded} onClose={onClose} />;
  const runs = readInteger(runsText, 1);
  const step = stepText.trim() === "" ? null : readInteger(stepText, 0);
  const needsStep = kind === "step-elsewhere" && step === null;
  const send = (): void => {
    if (runs === undefined || step === undefined || needsStep) return;
    const device = { gpuId: gpuId.trim() === "" ? null : gpuId.trim(), nodeId: suspect.nodeId };
    const before = hardwareShare(incident.assessment);
    const replay = { attempt: incident.attempt, step, kind, outcome, runs, note: note.trim(), ...device };
    record.send({ runId, ...replay }, () => setRecorded({ replay, before }));
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Record a replay result"
      description={REPLAY_NOTES[kind].asks}
      actions={
        <>
          <Button kind="primary" disabled={runs === undefined || step === undefined || needsStep || record.isSending} onClick={send}>
            Record
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={3}>
        <Segmented
          label="What was run"
          value={kind}
          onChange={setKind}
          options={REPLAY_KINDS.map((value) => ({ value, label: REPLAY_WORDS[value] }))}
        />
        <Segmented
          label="Outcome"
          value={outcome}
          onChange={setOutcome}
          options={[
            { value: "agreed", label: "Agreed" },
            { value: "disagreed", label: "Disagreed" },
          ]}
        />
        <Text tone="text">{REPLAY_NOTES[kind][outcome]}</Text>
        <TextField
          label="Runs with this outcome"
          inputMode="numeric"
          value={runsText}
          onChange={(event) => setRuns(event.target.value)}
          error={runs === undefined ? "A whole number, at least 1" : null}
        />
        <TextField
          label={kind === "step-elsewhere" ? "Step that was replayed" : "Step that was run (empty: a test program)"}
          inputMode="numeric"
          value={stepText}
          onChange={(event) => setStep(event.target.value)}
          error={step === undefined ? "A whole number" : needsStep ? "The step must be named" : null}
        />
        <TextField
          label={kind === "step-elsewhere" ? "GPU that computed it in the run" : "GPU that it was run on"}
          value={gpuId}
          onChange={(event) => setGpu(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          maxLength={256}
        />
        <TextArea label="Note (may be left out)" rows={2} value={note} onChange={(event) => setNote(event.target.value)} maxLength={2000} />
        {record.failure === null ? null : (
          <Notice mark="warning" lit>
            {record.failure.message}
          </Notice>
        )}
      </Stack>
    </Dialog>
  );
}

interface RecordedProps extends Omit<ReplayDialogProps, "runId"> {
  readonly replay: Pick<Replay, "runs" | "outcome">;
  /** Belief in hardware before it was recorded. */
  readonly before: number | null;
}

/** What the result has changed: agreement lowers the suspicion, and clears nobody. */
function Recorded({ incident, replay, before, onClose }: RecordedProps) {
  const after = hardwareShare(incident.assessment);
  const move = before === null || after === null ? "the causes have not been weighed anew yet" : suspicionMove(before, after);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${replayOutcome(replay)}; ${move}`}
      description={
        replay.outcome === "agreed"
          ? "Not cleared: a fault that comes and goes agrees most of the time."
          : "It stands in the timeline and among the facts."
      }
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    />
  );
}

/** The GPU and node that the findings accuse first. */
function suspectOf({ findings }: IncidentDetail): { readonly gpuId: string | null; readonly nodeId: string | null } {
  const roles = rolesOf({ findings });
  const ordered = [...roles.keys()].flatMap((id) => findings.find((finding) => finding.id === id) ?? []);
  const gpuId = ordered.map(gpuOfFinding).find((id) => id !== null) ?? null;
  return { gpuId, nodeId: ordered.map(nodeOfFinding).find((id) => id !== null) ?? null };
}
