import type { ReleaseDetail } from "@trainwatch/core";
import { Button, Popover, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";
import { useExportRelease, type ReleaseForm } from "../../data/releases.ts";
import { saveFile } from "../../files/save-file.ts";

const FORMS = [
  { form: "markdown", label: "Markdown", note: "to read and to hand on" },
  { form: "csv", label: "CSV", note: "a line for each cell" },
  { form: "json", label: "JSON", note: "everything that the page knows" },
] as const satisfies readonly { form: ReleaseForm; label: string; note: string }[];

/** The comparison as a file, or on paper. */
export function ExportMenu({ detail }: { readonly detail: ReleaseDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { send, isSending, failure } = useExportRelease();
  return (
    <Popover label="Export" look="quiet" open={isOpen} onOpenChange={setOpen}>
      <Stack>
        {FORMS.map(({ form, label, note }) => (
          <Stack key={form} gap={0}>
            <Button
              size="small"
              disabled={isSending}
              onClick={() =>
                send({ releaseId: detail.releaseId, form }, (file) => {
                  saveFile(file);
                  setOpen(false);
                })
              }
            >
              {label}
            </Button>
            <Text size="label" tone="label">
              {note}
            </Text>
          </Stack>
        ))}
        <Button
          size="small"
          onClick={() => {
            setOpen(false);
            // After the menu is gone: it would stand on the paper.
            setTimeout(() => window.print());
          }}
        >
          Print…
        </Button>
        <Text size="label" tone="label">
          in light, with every row
        </Text>
        {failure === null ? null : <Text tone="warning">{failure.message}</Text>}
      </Stack>
    </Popover>
  );
}
