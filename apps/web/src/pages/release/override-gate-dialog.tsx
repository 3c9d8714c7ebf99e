import type { GateView, ReleaseColumn, ReleaseDetail } from "@trainwatch/core";
import { useReleaseVerbs } from "../../data/releases.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { columnTitle } from "./release-words.ts";

export interface OverrideGateDialogProps {
  readonly detail: ReleaseDetail;
  readonly view: GateView;
  readonly column: ReleaseColumn;
  readonly onClose: () => void;
}

export function OverrideGateDialog({ detail, view, column, onClose }: OverrideGateDialogProps) {
  const { overrideGate } = useReleaseVerbs();
  return (
    <ReasonDialog
      title={`Override “${view.title}” for ${columnTitle(column)}?`}
      description="The gate is not passed by this; it no longer keeps this candidate from being signed. The reason stands beside it with your name, in the frozen copy too."
      verb="Override"
      isSending={overrideGate.isSending}
      failure={overrideGate.failure}
      onSend={(reason) =>
        overrideGate.send({ releaseId: detail.releaseId, gateId: view.gateId, scorecardId: column.scorecardId, reason }, onClose)
      }
      onClose={onClose}
    />
  );
}
