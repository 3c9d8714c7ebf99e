import { gpuOf } from "@trainwatch/core";
import type { ReactNode } from "react";
import { Link } from "../../routing/link.tsx";

export interface FleetLinkProps {
  /** Kind of a subject. */
  readonly kind: string;
  readonly id: string;
  readonly children: ReactNode;
}

/** The page of a GPU or node; a link's is that of its GPU, a port's or switch's that of its node. What has no page stays words. */
export function FleetLink({ kind, id, children }: FleetLinkProps) {
  if (kind === "gpu" || kind === "link") {
    return (
      <Link to="/fleet/gpu/$gpuId" params={{ gpuId: gpuOf(id) }} look="source">
        {children}
      </Link>
    );
  }
  const nodeId = kind === "node" ? id : kind === "port" || kind === "switch" ? id.replace(/\/(?:port|switch)\/.*$/, "") : null;
  if (nodeId === null) return children;
  return (
    <Link to="/fleet/node/$nodeId" params={{ nodeId }} look="source">
      {children}
    </Link>
  );
}
