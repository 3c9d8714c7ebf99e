import { Button, Dialog, Notice } from "@trainwatch/ui";
import type { Failure } from "../../data/failure.ts";

export interface DeleteDialogProps {
  readonly title: string;
  /** What follows from it. */
  readonly consequence: string;
  readonly isSending: boolean;
  readonly failure: Failure | null;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** Asks once more before something is deleted. */
export function DeleteDialog({ title, consequence, isSending, failure, onDelete, onClose }: DeleteDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={consequence}
      actions={
        <>
          <Button kind="danger" disabled={isSending} onClick={onDelete}>
            Delete
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      {failure === null ? null : (
        <Notice mark="warning" lit>
          {failure.message}
        </Notice>
      )}
    </Dialog>
  );
}
