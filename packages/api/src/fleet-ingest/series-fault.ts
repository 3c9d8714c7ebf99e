import { type FrameRefusalCode, isStorableText, type RawLabels } from "@trainwatch/core";

/** Prometheus' own servers take far fewer labels; what has more is a mistake that would cost every page. */
const MOST_LABELS = 64;
const LONGEST_NAME = 200;
const LONGEST_VALUE = 1_024;

/** Why a reading, or every reading of a series, is not taken. */
export interface Fault {
  readonly code: FrameRefusalCode;
  readonly message: string;
}

/** What is wrong with a series' name or labels; null where nothing is. */
export function seriesFault(name: string, labels: RawLabels): Fault | null {
  if (name === "") return { code: "bad-name", message: "The metric has no name." };
  if (name.length > LONGEST_NAME)
    return { code: "bad-name", message: `The metric's name has ${name.length} characters; ${LONGEST_NAME} are the most.` };
  if (!isStorableText(name))
    return { code: "bad-name", message: "The metric's name holds a character that cannot be stored: NUL or half of a surrogate pair." };
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS) return badLabels(`${name} has ${entries.length} labels; ${MOST_LABELS} are the most.`);
  for (const [label, value] of entries) {
    if (label === "") return badLabels(`${name} has a label without a name.`);
    if (label.length > LONGEST_NAME)
      return badLabels(`A label's name of ${name} has ${label.length} characters; ${LONGEST_NAME} are the most.`);
    if (value.length > LONGEST_VALUE)
      return badLabels(`The value of ${label} of ${name} has ${value.length} characters; ${LONGEST_VALUE} are the most.`);
    if (!isStorableText(label) || !isStorableText(value))
      return badLabels(`A label of ${name} holds a character that cannot be stored: NUL or half of a surrogate pair.`);
  }
  return null;
}

function badLabels(message: string): Fault {
  return { code: "bad-labels", message };
}
