import type { IncidentSummary } from "@trainwatch/core";
import { AssignDialog } from "./assign-dialog.tsx";
import { SnoozeDialog } from "./snooze-dialog.tsx";

/** What asks for more before it is done. */
export type AskedAction = "assign" | "snooze";

/** The dialog of an action that somebody has asked for; nothing while nobody has. */
export function AskedActionDialog({
  incident,
  asked,
  onClose,
}: {
  readonly incident: Pick<IncidentSummary, "id" | "owner">;
  readonly asked: AskedAction;
  readonly onClose: () => void;
}) {
  return asked === "assign" ? (
    <AssignDialog incident={incident} onClose={onClose} />
  ) : (
    <SnoozeDialog incident={incident} onClose={onClose} />
  );
}
