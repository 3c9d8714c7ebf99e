import { XID_TABLE, isMemoryXid, xidTitle } from "@trainwatch/core";
import type { CauseFact, Evidence } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import type { Episode } from "../engine/episode.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { called, numberOf } from "../engine/sighting.ts";
import { counted, percent } from "../engine/words.ts";

export function tellXid(episode: Episode): FleetTelling {
  if (episode.what === "teardown") return tellTeardown(episode);
  return episode.what === "application" ? tellApplication(episode) : tellCode(episode);
}

function tellCode(episode: Episode): FleetTelling {
  const { words } = episode;
  const code = numberOf(episode, "code");
  const count = numberOf(episode, "count");
  const repeats = numberOf(episode, "occurrences");
  const often = count > 1 ? ` (${counted(count, "line")})` : "";
  return {
    summary: `${called(episode)} reported ${xidTitle(code)}${words["detail"] ? `, ${words["detail"]}` : ""}${often}`,
    evidence: [
      evidence("for", words["text"] ?? "", count, "lines", "kernel log or XID gauge"),
      evidence(
        "for",
        `Class: ${words["class"] ?? "not in the table"}. ${words["action"] ?? ""}`,
        code,
        null,
        `XID table ${XID_TABLE.version}: ${XID_TABLE.source}`,
      ),
      ...(words["escalated"] ? [evidence("for", words["escalated"], repeats, "times", "NVSentinel")] : []),
      againstOf(episode),
    ],
    facts: factsOf(code, words["isApplication"] === "yes"),
    shape: "point",
  };
}

function againstOf({ words }: Episode): Evidence {
  if (words["isApplication"] === "yes")
    return evidence("against", "The same error came on most nodes of the job at once: the application", null, null, null);
  if (words["class"] === "ambiguous" || words["class"] === "application")
    return evidence(
      "against",
      "Mostly the application: it accuses the GPU only where it repeats there with other jobs",
      null,
      null,
      "XID table",
    );
  if (words["detail"]) return evidence("against", "The link's other end may be the source", null, null, "NVIDIA's decode of XID 144-150");
  return evidence("against", "No other measure of the GPU is needed for this, and none was asked", null, null, null);
}

function factsOf(code: number, isApplication: boolean): readonly CauseFact[] {
  if (isApplication) return [{ fact: "same-error-on-most-nodes", value: 1 }];
  return [
    { fact: "gpu-error", value: code },
    ...(isMemoryXid(code) ? [{ fact: "node-memory-error", value: 0 } as const] : []),
    ...(code === 79 ? [{ fact: "gpu-lost", value: null } as const] : []),
  ];
}

function tellTeardown(episode: Episode): FleetTelling {
  const count = numberOf(episode, "count");
  const nodes = numberOf(episode, "nodes");
  const code = numberOf(episode, "initiator");
  const after = code > 0 ? `after ${xidTitle(code)} on ${called(episode)}` : `of ${episode.words["run"] ?? called(episode)}`;
  return {
    summary: `Work was taken down ${after}: ${counted(count, "XID 45 or 43", "XIDs 45 and 43")} on ${counted(nodes, "node")}`,
    evidence: [
      evidence("for", "XIDs 45 and 43 come where processes are ended; they accuse no GPU", count, null, "XID table"),
      code > 0
        ? evidence("against", `${xidTitle(code)} came first: look there`, code, null, "kernel log or XID gauge")
        : evidence("against", "No other error came before: a person or the scheduler may have ended the job", null, null, null),
    ],
    facts: [],
    shape: "point",
  };
}

function tellApplication(episode: Episode): FleetTelling {
  const code = numberOf(episode, "code");
  const share = numberOf(episode, "share");
  return {
    summary: `${xidTitle(code)} on ${percent(share)} of the nodes of ${episode.words["run"] ?? "a job"} within a minute: the application`,
    evidence: [
      evidence("for", "The same error on most nodes at once cannot be one GPU's", share, "share of nodes", "detection.md C.2"),
      evidence("against", "A fault of the fabric may show on many nodes as well", null, null, null),
    ],
    facts: [{ fact: "same-error-on-most-nodes", value: share }],
    shape: "point",
  };
}
