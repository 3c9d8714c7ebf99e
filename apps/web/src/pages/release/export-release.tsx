import type { ReleaseDetail } from "@trainwatch/core";
import { useExportRelease, type ReleaseForm } from "../../data/releases.ts";
import { ExportMenu, type ExportForm } from "../../files/export-menu.tsx";

const FORMS: readonly ExportForm<ReleaseForm>[] = [
  { form: "markdown", label: "Markdown", note: "to read and to hand on" },
  { form: "csv", label: "CSV", note: "a line for each cell" },
  { form: "json", label: "JSON", note: "everything that the page knows" },
];

// Once the menu is gone: it would stand on the paper.
const PRINT = { label: "Print…", note: "in light, with every row", run: () => void setTimeout(() => window.print()) };

/** The comparison as a file, or on paper. */
export function ExportRelease({ detail: { releaseId } }: { readonly detail: ReleaseDetail }) {
  const file = useExportRelease();
  return <ExportMenu forms={FORMS} file={{ ...file, send: (form, then) => file.send({ releaseId, form }, then) }} others={[PRINT]} />;
}
