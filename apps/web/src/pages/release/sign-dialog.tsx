import type { ReleaseColumn, ReleaseDetail } from "@trainwatch/core";
import { Button, Dialog, Select, Stack, TextField } from "@trainwatch/ui";
import { columnCounts } from "@trainwatch/ui/charts/release";
import { useState } from "react";
import { useReleaseVerbs } from "../../data/releases.ts";
import { gateOutcome, OUTCOME_WORDS } from "./gate-outcome.ts";
import { columnTitle } from "./release-words.ts";

export interface SignDialogProps {
  readonly detail: ReleaseDetail;
  readonly column: ReleaseColumn;
  /** Roles that have not signed yet. */
  readonly roles: readonly string[];
  readonly onClose: () => void;
}

/** A signature by name. The first one freezes what is signed; nothing of it can be changed afterwards. */
export function SignDialog({ detail, column, roles, onClose }: SignDialogProps) {
  const { sign } = useReleaseVerbs();
  const [role, setRole] = useState(roles[0] ?? "");
  const [signedAs, setSignedAs] = useState("");
  const index = detail.comparison.columns.indexOf(column);
  const gates = detail.gateViews.length === 0 ? "no criteria were fixed" : `gates: ${OUTCOME_WORDS[gateOutcome(detail.gateViews, index)]}`;
  const isFirst = detail.signed === 0;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ship ${columnTitle(column)}?`}
      description={`${columnCounts(column)}; ${gates}. ${
        isFirst
          ? "The comparison is frozen as it stands, with its hash; what is compared and the criteria cannot be changed afterwards."
          : "You sign the copy that was frozen by the first signature."
      }`}
      actions={
        <>
          <Button
            kind="primary"
            disabled={signedAs.trim() === "" || role === "" || sign.isSending}
            onClick={() =>
              sign.send({ releaseId: detail.releaseId, scorecardId: column.scorecardId, role, signedAs: signedAs.trim() }, onClose)
            }
          >
            Sign
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={3}>
        <Select label="Role" prefix="As:" value={role} options={roles.map((value) => ({ value, label: value }))} onChange={setRole} />
        <TextField
          label="Your name"
          autoComplete="name"
          value={signedAs}
          error={sign.failure?.message ?? null}
          onChange={(event) => setSignedAs(event.target.value)}
        />
      </Stack>
    </Dialog>
  );
}
