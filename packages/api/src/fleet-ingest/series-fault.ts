import { type FrameRefusalCode, isStorableText, type RawLabels, type SeriesIdentity } from "@trainwatch/core";

/** Prometheus' own servers take far fewer labels; what has more is a mistake that would cost every page. */
const MOST_LABELS = 64;
const LONGEST_NAME = 200;
/** Bytes of UTF-8: values stand in indexes of the database, which takes 2,704 bytes an entry, and two values make the name of a target. */
const LONGEST_VALUE_BYTES = 1_024;
/** The same for the id of an entity, which several labels make. */
const LONGEST_ENTITY_BYTES = 2_048;

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
    const valueBytes = Buffer.byteLength(value);
    if (valueBytes > LONGEST_VALUE_BYTES)
      return badLabels(`The value of ${label} of ${name} has ${valueBytes} bytes; ${LONGEST_VALUE_BYTES} are the most.`);
    if (!isStorableText(label) || !isStorableText(value))
      return badLabels(`A label of ${name} holds a character that cannot be stored: NUL or half of a surrogate pair.`);
  }
  return null;
}

/** What is wrong with what the labels say a series is about; null where nothing is. */
export function identityFault({ sourceName, entity }: Pick<SeriesIdentity, "sourceName" | "entity">): Fault | null {
  const bytes = entity === null ? 0 : Buffer.byteLength(entity.id);
  if (bytes <= LONGEST_ENTITY_BYTES) return null;
  return badLabels(`The labels of ${sourceName} make an id of ${bytes} bytes; ${LONGEST_ENTITY_BYTES} are the most.`);
}

function badLabels(message: string): Fault {
  return { code: "bad-labels", message };
}
