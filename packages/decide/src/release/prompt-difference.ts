import type { SettingDifference } from "@trainwatch/core";
import { sayInteger } from "@trainwatch/core";
import type { Joins } from "./align.ts";
import type { Reading } from "./reading.ts";

/** Share of the common samples whose prompts may differ and be a slip of the source: from more on these are other questions under the same names. */
const MOST_STRANGE = 0.01;

/**
 * Whether samples of one key were asked different things: numbered rows of another version of a task, another shuffle of the choices, a template that no
 * setting tells of. Null where prompts are not told or all are alike.
 */
export function promptDifference(baseline: Reading, candidate: Reading, joins: Joins): SettingDifference | null {
  const [own, other] = [baseline.samples, candidate.samples];
  if (own === null || other === null || own.prompts === null || other.prompts === null || own.prompts === other.prompts) return null;
  const { places } = joins.align(own.keys, other.keys);
  let [both, alike] = [0, 0];
  for (let sample = 0; sample < places.length; sample++) {
    const [asked, askedToo] = [own.prompts[sample] ?? Number.NaN, other.prompts[places[sample] ?? -1] ?? Number.NaN];
    if (Number.isNaN(asked) || Number.isNaN(askedToo)) continue;
    both++;
    if (asked === askedToo) alike++;
  }
  if (both === alike) return null;
  return {
    setting: "prompts",
    title: "prompts",
    baseline: `${sayInteger(both)} of common samples`,
    candidate: `${sayInteger(alike)} alike`,
    forbids: both - alike > MOST_STRANGE * both,
  };
}
