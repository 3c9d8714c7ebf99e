import type { FindingPlace, Replay, Subject } from "@trainwatch/core";
import type { KnownFact } from "./contract.ts";

/**
 * What replays say, the two kinds kept apart (detection.md B.6). A recorded step that other hardware computes otherwise was corrupted, or the replaying machine errs: where
 * replays of one step contradict each other the majority speaks, and a tie says nothing until a third decides. A device that has erred once in a re-run is bad, however often
 * it agrees besides; agreeing re-runs of one device add up.
 */
export function replayFacts(replays: readonly Replay[]): readonly KnownFact[] {
  return [
    ...stepFacts(replays.filter(({ kind }) => kind === "step-elsewhere")),
    ...deviceFacts(replays.filter(({ kind }) => kind === "device-again")),
  ];
}

function stepFacts(replays: readonly Replay[]): readonly KnownFact[] {
  return [...grouped(replays, ({ attempt, step }) => `${attempt} ${step}`)].flatMap((ofStep): readonly KnownFact[] => {
    const [agreed, disagreed] = [runsWith(ofStep, "agreed"), runsWith(ofStep, "disagreed")];
    if (agreed === disagreed) return [];
    const about = suspectOfReplays(ofStep);
    return disagreed > agreed
      ? [{ fact: "replay-elsewhere-disagreed", value: disagreed, ...about }]
      : [{ fact: "replay-elsewhere-agreed", value: agreed, ...about }];
  });
}

function deviceFacts(replays: readonly Replay[]): readonly KnownFact[] {
  return [...grouped(replays, ({ gpuId, nodeId }) => `${gpuId} ${nodeId}`)].map((ofDevice): KnownFact => {
    const disagreed = runsWith(ofDevice, "disagreed");
    const about = suspectOfReplays(ofDevice);
    return disagreed > 0
      ? { fact: "rerun-disagreed", value: disagreed, ...about }
      : { fact: "rerun-agreed", value: runsWith(ofDevice, "agreed"), ...about };
  });
}

function grouped(replays: readonly Replay[], keyOf: (replay: Replay) => string): Iterable<readonly Replay[]> {
  const groups = new Map<string, Replay[]>();
  for (const replay of replays) {
    const key = keyOf(replay);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [replay]);
    else group.push(replay);
  }
  return groups.values();
}

function runsWith(replays: readonly Replay[], outcome: Replay["outcome"]): number {
  return replays.reduce((sum, replay) => sum + (replay.outcome === outcome ? replay.runs : 0), 0);
}

function suspectOfReplays(replays: readonly Replay[]): { readonly subject: Subject | null; readonly place: FindingPlace | null } {
  const gpuId = replays.find((replay) => replay.gpuId !== null)?.gpuId ?? null;
  const nodeId = replays.find((replay) => replay.nodeId !== null)?.nodeId ?? null;
  if (gpuId === null && nodeId === null) return { subject: null, place: null };
  const subject: Subject = gpuId === null ? { kind: "node", id: nodeId ?? "" } : { kind: "gpu", id: gpuId };
  return { subject, place: { rank: null, gpuId, nodeId, host: null } };
}
