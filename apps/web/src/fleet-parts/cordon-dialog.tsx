import type { FleetNodeView } from "@trainwatch/core";
import { Button, Dialog, Notice, TextArea } from "@trainwatch/ui";
import { useState } from "react";
import { useCordonVerbs } from "../data/fleet.ts";

/** Asks why before a node is marked, or the mark taken away: both go to the audit trail. */
export function CordonButton({ node }: { readonly node: FleetNodeView }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {node.cordoned === null ? "Cordon node…" : "Uncordon node…"}
      </Button>
      {open ? <CordonDialog node={node} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CordonDialog({ node, onClose }: { readonly node: FleetNodeView; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const verbs = useCordonVerbs();
  const marks = node.cordoned === null;
  const verb = marks ? verbs.cordon : verbs.uncordon;
  const send = (): void => verb.send({ nodeId: node.id, reason: reason.trim() }, onClose);
  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={marks ? `Mark ${node.host} as cordoned?` : `Take the cordon mark off ${node.host}?`}
      description="Trainwatch writes it down and shows it on the map. Nothing is done to the node or its scheduler."
      actions={
        <>
          <Button kind="primary" disabled={reason.trim() === "" || verb.isSending} onClick={send}>
            {marks ? "Cordon" : "Uncordon"}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <TextArea label="Reason, for the record" value={reason} onChange={(event) => setReason(event.target.value)} rows={2} />
      {verb.failure === null ? null : (
        <Notice mark="warning" lit>
          {verb.failure.message}
        </Notice>
      )}
    </Dialog>
  );
}
