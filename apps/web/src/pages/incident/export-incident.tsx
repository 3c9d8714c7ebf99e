import { useExportIncident, type ExportFormat } from "../../data/export.ts";
import { ExportMenu, type ExportForm } from "../../files/export-menu.tsx";

const FORMS: readonly ExportForm<ExportFormat>[] = [
  { form: "markdown", label: "Markdown", note: "to read and to hand on" },
  { form: "json", label: "JSON", note: "with its series as data" },
];

/** Timeline, evidence and decisions, and the series as they stand now. */
export function ExportIncident({ incidentId }: { readonly incidentId: number }) {
  const file = useExportIncident();
  return <ExportMenu forms={FORMS} file={{ ...file, send: (format, then) => file.send({ incidentId, format }, then) }} />;
}
