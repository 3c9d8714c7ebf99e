import { parseStep } from "../text/number-token.ts";

/*
 *   successfully saved checkpoint at iteration       5 to /ckpt
 *   [2026-11-02 10:11:12.123456] successfully saved checkpoint from iteration   1000 to /ckpt [ t 1/2, p 1/4 ]
 *   successfully saved local checkpoint from iteration    1000
 * Not: `saving checkpoint at iteration`, `scheduled an async checkpoint save at iteration`.
 */
const SAVED = /saved (?:local )?checkpoint (?:at|from) iteration\s{1,32}(\d+)(?: to (.+))?/;
/** `[INFO] [torch_checkpoint_engine.py:33:commit] [Torch] Checkpoint global_step100 is ready now!` */
const COMMITTED = /Checkpoint global_step(\d+) is ready now/;
/** `successfully loaded checkpoint from /ckpt [ t 1/2, p 1/4 ] at iteration 5000` */
const LOADED = /loaded checkpoint from (.+) at iteration\s{1,32}(\d+)/;

export type CheckpointLine =
  | { readonly kind: "saved"; readonly step: number; readonly path: string | null }
  | { readonly kind: "loaded"; readonly step: number; readonly path: string };

/** What a Megatron or DeepSpeed line says about a checkpoint that was saved or loaded; undefined for all others, also "saving". */
export function checkpointLine(text: string): CheckpointLine | undefined {
  const saved = SAVED.exec(text) ?? COMMITTED.exec(text);
  if (saved !== null)
    return withStep(saved[1], (step) => ({ kind: "saved", step, path: saved[2] === undefined ? null : pathOf(saved[2]) }));
  const loaded = LOADED.exec(text);
  if (loaded === null) return undefined;
  return withStep(loaded[2], (step) => ({ kind: "loaded", step, path: pathOf(loaded[1] ?? "") }));
}

/** The folder without the shard counter that newer versions put behind it. */
function pathOf(text: string): string {
  const shard = text.indexOf(" [ t ");
  return (shard < 0 ? text : text.slice(0, shard)).trim();
}

function withStep(digits: string | undefined, make: (step: number) => CheckpointLine): CheckpointLine | undefined {
  const parsed = parseStep(digits ?? "");
  return "step" in parsed ? make(parsed.step) : undefined;
}
