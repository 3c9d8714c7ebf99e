import { AppError, replaySchema, sayInteger, type Replay, type StoredReplay } from "@trainwatch/core";
import { proposeForIncident } from "../advice/propose-advice.ts";
import { assessIncident } from "../causes/assess-incident.ts";
import { announceIncident } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { concerns } from "./concerns.ts";

const recordInput = replaySchema.extend({ runId: idInput });

/**
 * What came of running a step, or a test program, again. It speaks for or against causes of the open incidents that it concerns: those are weighed anew at once, and so is the advice.
 */
export const recordReplay = operateVerb
  .input(recordInput)
  .mutation(
    async ({ ctx, input: { runId, ...replay } }): Promise<{ readonly replay: StoredReplay; readonly incidentIds: readonly number[] }> => {
      const { run, answer } = await recorded(ctx, "replays.record", async (records) => {
        const facts = required(await records.runs.facts(runId), "run", runId);
        const attempts = await records.runs.attempts(runId);
        if (!attempts.some(({ name }) => name === replay.attempt))
          throw new AppError(
            "bad-request",
            `${facts.fullName} has no attempt ${replay.attempt}; it has ${attempts.map(({ name }) => name).join(", ")}.`,
          );
        await records.incidents.lockFolds();
        const nowMs = ctx.now();
        const stored = await records.replays.create(runId, replay, ctx.actor.name, nowMs);
        const concerned = (await records.incidents.ofRun(runId)).filter(
          (incident) => incident.state !== "resolved" && concerns(incident, replay),
        );
        const incidentIds = concerned.flatMap(({ id }) => id ?? []);
        for (const incidentId of incidentIds) {
          const entry = { kind: "replay" as const, atMs: nowMs, step: replay.step, actor: ctx.actor.name, text: replayWords(replay) };
          await records.incidents.addTimeline(incidentId, entry);
          await assessIncident(records, { incidentId, nowMs });
          await proposeForIncident(records, { incidentId, actor: "detectors", nowMs, whenDecided: "keep" });
        }
        return {
          answer: { run: facts, answer: { replay: stored, incidentIds } },
          target: `run:${runId}`,
          details: { ...replay, incidentIds },
        };
      });
      announceIncident(ctx, run);
      return answer;
    },
  );

function replayWords({ kind, outcome, runs, step, gpuId, nodeId, note }: Replay): string {
  const device = gpuId ?? nodeId;
  const what =
    kind === "step-elsewhere"
      ? `${step === null ? "A test" : `Step ${sayInteger(step)}`} was run again on other hardware`
      : `${device ?? "The suspect"} was run again`;
  const times = runs === 1 ? "" : ` ${sayInteger(runs)} times`;
  return `${what}${times}: ${outcome}${note === "" ? "" : `. ${note}`}`;
}
