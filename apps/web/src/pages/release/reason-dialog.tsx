import { Button, Dialog, TextArea } from "@trainwatch/ui";
import { useState, type ReactNode } from "react";
import type { Failure } from "../../data/failure.ts";
import { isReason, reasonFault } from "./reason.ts";

export interface ReasonDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  /** On the button that acts. */
  readonly verb: string;
  readonly isSending: boolean;
  readonly failure: Failure | null;
  readonly onSend: (reason: string) => void;
  readonly onClose: () => void;
}

/** Something that goes against a rule: recorded with a reason and a name, in the frozen copy too. */
export function ReasonDialog({ title, description, verb, isSending, failure, onSend, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button kind="primary" disabled={!isReason(reason) || isSending} onClick={() => onSend(reason.trim())}>
            {verb}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <TextArea
        label="Because"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={failure?.message ?? reasonFault(reason)}
      />
    </Dialog>
  );
}
