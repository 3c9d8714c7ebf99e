import type { ReleaseSummary } from "@trainwatch/core";
import { Button, Dialog, Text } from "@trainwatch/ui";
import { useReleaseVerbs } from "../../data/releases.ts";

/** Only what nobody has signed can go. */
export function DeleteReleaseDialog({ release, onClose }: { readonly release: ReleaseSummary; readonly onClose: () => void }) {
  const { remove } = useReleaseVerbs();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete ${release.spec.name}?`}
      description="Its gates and overrides go with it. The results that it compares stay."
      actions={
        <>
          <Button kind="danger" disabled={remove.isSending} onClick={() => remove.send({ releaseId: release.releaseId }, onClose)}>
            Delete comparison
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      {remove.failure === null ? null : <Text tone="warning">{remove.failure.message}</Text>}
    </Dialog>
  );
}
