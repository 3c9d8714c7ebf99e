import type { RunSummary } from "@trainwatch/core";
import { Button, Dialog, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useRunVerbs } from "../../data/runs.ts";

/** Deleting cannot be undone: the run's name must be typed, and the server checks it again. */
export function DeleteRunDialog({ run, onClose }: { readonly run: RunSummary; readonly onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const { delete: remove } = useRunVerbs();
  const isRight = typed === run.name;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete ${run.project}/${run.name} for good?`}
      description="Its samples, findings, incidents and decisions go with it. The audit trail keeps that it was there. To take it out of the lists only, archive it."
      actions={
        <>
          <Button
            kind="danger"
            disabled={!isRight || remove.isSending}
            onClick={() => remove.send({ runId: run.id, confirmName: typed }, onClose)}
          >
            Delete run
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextField
        label={`Type the run's name: ${run.name}`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={remove.failure?.message ?? (typed !== "" && !isRight && !run.name.startsWith(typed) ? "Type the run's full name" : null)}
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  );
}
