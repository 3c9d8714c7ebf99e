import { createHash } from "node:crypto";
import type { IncidentExport } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../../page-input.ts";
import { readVerb } from "../../procedures.ts";
import { exportContent } from "./export-content.ts";
import { exportMarkdown } from "./markdown.ts";

const exportInput = z.object({ incidentId: idInput, format: z.enum(["markdown", "json"]).default("json") });

export interface ExportedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly text: string;
}

/** An incident as a file: everything that is known of it, and its series frozen as data. */
export const exportIncident = readVerb.input(exportInput).query(async ({ ctx, input: { incidentId, format } }): Promise<ExportedFile> => {
  const content = await exportContent(ctx, incidentId);
  const whole: IncidentExport = {
    kind: "trainwatch-incident",
    version: 1,
    exportedAt: new Date(ctx.now()).toISOString(),
    generator: `Trainwatch ${ctx.server.version}`,
    contentHash: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
    content,
  };
  const name = `incident-${incidentId}`;
  return format === "json"
    ? { fileName: `${name}.json`, mediaType: "application/json", text: JSON.stringify(whole) }
    : { fileName: `${name}.md`, mediaType: "text/markdown", text: exportMarkdown(whole) };
});
