import { Button, Popover, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";
import { useExportIncident, type ExportFormat } from "../../data/export.ts";
import { saveFile } from "../../files/save-file.ts";

const FORMATS = [
  { format: "markdown", label: "Markdown", note: "to read and to hand on" },
  { format: "json", label: "JSON", note: "with its series as data" },
] as const satisfies readonly { format: ExportFormat; label: string; note: string }[];

/** Timeline, evidence and decisions, and the series as they stand now. */
export function ExportMenu({ incidentId }: { readonly incidentId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { send, isSending, failure } = useExportIncident();
  return (
    <Popover label="Export" look="quiet" open={isOpen} onOpenChange={setOpen}>
      <Stack>
        {FORMATS.map(({ format, label, note }) => (
          <Stack key={format} gap={0}>
            <Button
              size="small"
              disabled={isSending}
              onClick={() =>
                send({ incidentId, format }, (file) => {
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
        {failure === null ? null : <Text tone="warning">{failure.message}</Text>}
      </Stack>
    </Popover>
  );
}
