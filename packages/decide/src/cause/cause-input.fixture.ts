import type { CauseFact, CauseFactName, Finding, FindingPlace, Replay, Subject } from "@trainwatch/core";
import { aFinding } from "../advice-input.fixture.ts";
import type { CauseInput, KnownFact } from "./contract.ts";
import type { Trouble } from "./trouble.ts";

/** Test material: what an incident of each trouble holds at least. */
const SYMPTOM: Readonly<Record<Trouble, Finding>> = {
  learning: aFinding({ onsetStep: 48_210 }),
  stopped: aFinding({ onsetStep: 48_210, metric: "progress", detector: "hang", state: "stalled", severity: "critical" }),
  slow: aFinding({ onsetStep: 48_210, metric: "step_time", detector: "step-time" }),
  device: aFinding({ onsetStep: 48_210, metric: "xid", detector: "xid", attempt: "", subject: { kind: "gpu", id: "GPU-0" } }),
};

export const place = (over: Partial<FindingPlace>): FindingPlace => ({ rank: null, gpuId: null, nodeId: null, host: null, ...over });

/** `[fact, value, "gpu GPU-a@n1"]`: a fact about a GPU of a node, about a node, a rank, or (without the third) about the run. */
export type Said = readonly [fact: CauseFactName, value?: number | null, about?: string];

export function aFact([fact, value = null, about]: Said): KnownFact {
  if (about === undefined) return { fact, value, subject: null, place: null };
  const [kind = "", rest = ""] = about.split(" ");
  const [id = "", nodeId] = rest.split("@");
  const subject: Subject = { kind: kindOf(kind), id };
  return {
    fact,
    value,
    subject,
    place:
      nodeId === undefined
        ? null
        : place({ nodeId, ...(kind === "gpu" ? { gpuId: id } : {}), ...(kind === "rank" ? { rank: Number(id) } : {}) }),
  };
}

function kindOf(text: string): Subject["kind"] {
  const kinds: readonly Subject["kind"][] = ["run", "rank", "stage", "gpu", "node", "link", "port", "switch", "logger"];
  const kind = kinds.find((known) => known === text);
  if (kind === undefined) throw new Error(`no such subject: ${text}`);
  return kind;
}

/** An incident of a trouble with facts from what else is stored, and replays. */
export function aCauseInput(trouble: Trouble, facts: readonly Said[] = [], replays: readonly Replay[] = []): CauseInput {
  return { findings: [SYMPTOM[trouble]], facts: facts.map(aFact), replays };
}

/** The same facts as detectors state them: those of the run on its symptom, each other on a finding of its own. */
export function asFindings(trouble: Trouble, facts: readonly Said[]): CauseInput {
  const known = facts.map(aFact);
  const symptom = SYMPTOM[trouble];
  const ofRun = known.flatMap(({ fact, value, subject }) => (subject === null ? [{ fact, value } satisfies CauseFact] : []));
  const others = known.flatMap(({ fact, value, subject, place: where }, index): readonly Finding[] =>
    subject === null
      ? []
      : [aFinding({ ...symptom, onsetStep: 48_210 + index, subject, place: where, facts: [{ fact, value } satisfies CauseFact] })],
  );
  return { findings: [{ ...symptom, facts: ofRun }, ...others], facts: [], replays: [] };
}

export function aReplay(over: Partial<Replay>): Replay {
  return { attempt: "a1", step: 48_210, kind: "device-again", outcome: "agreed", runs: 1, gpuId: null, nodeId: null, note: "", ...over };
}
