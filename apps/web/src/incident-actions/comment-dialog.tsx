import { Button, Dialog, Markdown, Stack, Text, TextArea } from "@trainwatch/ui";
import { useState } from "react";
import { useIncidentVerbs } from "../data/incidents.ts";

/** A comment into the timeline, with what it will look like. */
export function CommentDialog({ incidentId, onClose }: { readonly incidentId: number; readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const { comment } = useIncidentVerbs();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Comment on #${incidentId}`}
      actions={
        <>
          <Button
            kind="primary"
            disabled={text.trim() === "" || comment.isSending}
            onClick={() => comment.send({ incidentId, text: text.trim() }, onClose)}
          >
            Add comment
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Stack gap={2}>
        <TextArea
          label="Comment"
          hint="Markdown: **bold**, `code`, lists, links. It cannot be changed afterwards."
          rows={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={comment.failure?.message ?? null}
          maxLength={4_000}
        />
        {text.trim() === "" ? null : (
          <Stack gap={1}>
            <Text size="label" tone="label">
              As it will be read
            </Text>
            <Markdown source={text} />
          </Stack>
        )}
      </Stack>
    </Dialog>
  );
}
