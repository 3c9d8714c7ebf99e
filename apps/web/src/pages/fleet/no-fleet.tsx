import { EmptyState } from "@trainwatch/ui";

/** No GPU is known at the time that is asked for. */
export function NoFleet({ past }: { readonly past: boolean }) {
  if (past) {
    return (
      <EmptyState title="No GPU was known at that time">
        The first reading of this fleet came later, or what was stored has expired.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No GPU has been seen yet" command="npx trainwatch agent --config agent.yaml">
      Readings of GPUs come from an agent on each node, from a Prometheus that remote-writes to /api/v1/write, or from an OTLP collector at
      /v1/metrics. On a node:
    </EmptyState>
  );
}

export function NoMetric() {
  return (
    <EmptyState title="No reading has come in yet">
      Nodes are known, but no source has sent a metric of them. Coverage says which fields are missing.
    </EmptyState>
  );
}
