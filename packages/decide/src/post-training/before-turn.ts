import { sayInteger } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import type { AdviceInput } from "../contract.ts";
import { turnsOf } from "./for-post-training.ts";

/**
 * Where a fault of the loss decides and a held-out score has turned too: what is gone back to should lie before both. Checkpoints after the turning point are left out where
 * complete ones before it are known; the reason says so, or that none is.
 */
export function beforeTurn(
  input: AdviceInput,
  findings: readonly Finding[],
): { readonly input: AdviceInput; readonly reasons: readonly string[] } {
  const peak = turnsOf(findings)[0]?.onsetStep ?? null;
  if (peak === null) return { input, reasons: [] };
  const before = input.checkpoints.filter(({ step }) => step <= peak);
  const turned = `A held-out score has turned as well, at step ${sayInteger(peak)}`;
  if (!before.some(({ state }) => state !== "incomplete"))
    return { input, reasons: [`${turned}: no complete checkpoint before it is known, so what is kept may be past it.`] };
  return { input: { ...input, checkpoints: before }, reasons: [`${turned}: checkpoints after it are left out.`] };
}
