import type { JsonScalar } from "../json/json-reader.ts";

/** Scalars of a trainer state outside its history, by dotted path. */
export type StateFacts = Map<string, JsonScalar>;

export interface SavedCheckpoint {
  readonly step: number;
  readonly path: string | null;
}

export interface SavedCheckpoints {
  readonly checkpoints: readonly SavedCheckpoint[];
  /** Distance between checkpoints; only when a saved one proves it. */
  readonly every: number | undefined;
}

const CHECKPOINT_FOLDER = /(?:^|[\\/])checkpoint-(\d{1,15})[\\/]?$/;

/**
 * Which checkpoints the state itself shows to have been saved. The best one is named by its folder. The state's own step is one when the
 * training was to go on from there: transformers writes a state in the middle of a run only into a checkpoint, while the one at the
 * end is also written beside the weights, and that may be no checkpoint at all.
 */
export function savedCheckpoints(facts: StateFacts): SavedCheckpoints {
  const best = bestCheckpoint(facts);
  const own = ownCheckpoint(facts);
  const checkpoints = [best, own].filter((checkpoint) => checkpoint !== undefined);
  const distinct = best !== undefined && best.step === own?.step ? [best] : checkpoints;
  const every = positiveInteger(facts.get("save_steps"));
  const proven = every !== undefined && own !== undefined && own.step % every === 0;
  return { checkpoints: distinct.toSorted((a, b) => a.step - b.step), every: proven ? every : undefined };
}

function bestCheckpoint(facts: StateFacts): SavedCheckpoint | undefined {
  const path = facts.get("best_model_checkpoint");
  if (typeof path !== "string") return undefined;
  const step = CHECKPOINT_FOLDER.exec(path)?.[1];
  return step === undefined ? undefined : { step: Number(step), path };
}

function ownCheckpoint(facts: StateFacts): SavedCheckpoint | undefined {
  const step = positiveInteger(facts.get("global_step"));
  const target = positiveInteger(facts.get("max_steps"));
  const control = "stateful_callbacks.TrainerControl.args";
  const goesOn = facts.get(`${control}.should_save`) === true && facts.get(`${control}.should_training_stop`) === false;
  return step !== undefined && target !== undefined && step < target && goesOn ? { step, path: null } : undefined;
}

function positiveInteger(value: JsonScalar | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
