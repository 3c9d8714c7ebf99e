import { useMutation } from "@tanstack/react-query";
import type { SavedFile } from "../files/save-file.ts";
import { useTRPCClient } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export type ExportFormat = "markdown" | "json";

/** An incident as a file: its series are frozen as they stand at that moment, so that it is asked for anew each time. */
export function useExportIncident(): Verb<{ readonly incidentId: number; readonly format: ExportFormat }, SavedFile> {
  const client = useTRPCClient();
  return verbOf(
    useMutation({
      mutationFn: (input: { readonly incidentId: number; readonly format: ExportFormat }): Promise<SavedFile> =>
        client.incidents.export.query(input),
    }),
  );
}
