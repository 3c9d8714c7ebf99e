import type { FleetLinksView } from "@trainwatch/core";

type Link = FleetLinksView["links"][number];

/** What a full bar stands for: the busiest link of the node, so that its GPUs can be compared. */
export function topTraffic(links: readonly Link[]): number {
  return Math.max(1, ...links.map((link) => link.txPerS ?? 0));
}

export interface VerdictWords {
  readonly mark: "ok" | "critical" | "unknown";
  readonly word: string;
  readonly why: string;
}

/** What may be said of a node's NVLink as a whole: OK needs evidence of both errors and traffic (E7). */
export function verdictWords({ verdict, links }: Pick<FleetLinksView, "verdict" | "links">): VerdictWords {
  if (verdict === "errors") {
    const erring = links.filter((link) => (link.errorsPerS ?? 0) > 0).length;
    return {
      mark: "critical",
      word: "Errors",
      why: erring === 0 ? "errors are being counted on this node" : `${erring} of ${links.length} links count errors`,
    };
  }
  const down = links.filter((link) => link.state === "down").length;
  if (down > 0) return { mark: "critical", word: "Down", why: `${down} of ${links.length} links ${down === 1 ? "is" : "are"} down` };
  if (verdict === "ok") return { mark: "ok", word: "OK", why: "errors and traffic are both seen, and no error is being counted" };
  return { mark: "unknown", word: "Unknown", why: "errors or traffic of its links are not seen, which is no sign of health" };
}
