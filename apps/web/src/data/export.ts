import { useMutation } from "@tanstack/react-query";
import { useTRPCClient } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export type ExportFormat = "markdown" | "json";
export interface ExportedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly text: string;
}

/** An incident as a file: its series are frozen as they stand at that moment, so that it is asked for anew each time. */
export function useExportIncident(): Verb<{ readonly incidentId: number; readonly format: ExportFormat }, ExportedFile> {
  const client = useTRPCClient();
  return verbOf(
    useMutation({
      mutationFn: (input: { readonly incidentId: number; readonly format: ExportFormat }): Promise<ExportedFile> =>
        client.incidents.export.query(input),
    }),
  );
}
