import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState, HiddenHeading, Page } from "@trainwatch/ui";

/** A page that threw, or whose code could not be fetched (the server was upgraded under an old tab). */
export function CrashedPage({ error }: ErrorComponentProps) {
  return (
    <Page label="Error">
      <title>Error · Trainwatch</title>
      <HiddenHeading>Error</HiddenHeading>
      <ErrorState
        title="This page could not be shown"
        detail="Ingest and detection go on; nothing is lost. Reload; if it stays, quote the line below."
        reference={error instanceof Error ? error.message : String(error)}
        onRetry={() => window.location.reload()}
      />
    </Page>
  );
}
