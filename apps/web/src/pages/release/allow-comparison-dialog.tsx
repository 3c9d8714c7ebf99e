import type { ReleaseDetail } from "@trainwatch/core";
import { forbidding } from "@trainwatch/ui/charts/release";
import { useReleaseVerbs } from "../../data/releases.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { columnTitle } from "./release-words.ts";
import type { ShownCell } from "./shown-cell.ts";

export interface AllowComparisonDialogProps {
  readonly detail: ReleaseDetail;
  readonly shown: ShownCell;
  readonly onClose: () => void;
}

export function AllowComparisonDialog({ detail, shown: { row, column, cell }, onClose }: AllowComparisonDialogProps) {
  const { overrideComparison } = useReleaseVerbs();
  return (
    <ReasonDialog
      title={`Compare ${row.title} of ${columnTitle(column)} with the baseline all the same?`}
      description={`The two differ in ${forbidding(cell) || "their settings"}. The cell is then judged and coloured like any other, with a mark, and the reason is kept with your name.`}
      verb="Allow comparison"
      isSending={overrideComparison.isSending}
      failure={overrideComparison.failure}
      onSend={(reason) =>
        overrideComparison.send({ releaseId: detail.releaseId, rowKey: row.key, scorecardId: column.scorecardId, reason }, onClose)
      }
      onClose={onClose}
    />
  );
}
