import { AppError } from "@trainwatch/core";
import { errorCodes, isConnectionLoss } from "./connection-loss.ts";

interface Shortage {
  readonly cause: "disk-full" | "out-of-memory" | "too-many-connections" | "limit-reached";
  readonly sentence: string;
}

/** SQLSTATE class 53: the database answers, and lacks something. Each has a way out of its own. */
const SHORTAGES: Readonly<Record<string, Shortage>> = {
  "53100": {
    cause: "disk-full",
    sentence: "The disk of the database is full. Make room there (delete old runs, set a retention, or enlarge the disk).",
  },
  "53200": { cause: "out-of-memory", sentence: "The database has run out of memory. Give its machine more, or ask it for less at once." },
  "53300": {
    cause: "too-many-connections",
    sentence: "The database takes no more connections. Raise its max_connections, or end clients that hold some.",
  },
  "53400": { cause: "limit-reached", sentence: "The database has reached a limit of its configuration. Its log names which." },
};
const OTHER_SHORTAGE: Shortage = { cause: "limit-reached", sentence: "The database lacks a resource. Its log names which." };

/**
 * What a person is told where the database, not the question, is at fault; null for any other error. All of these pass, and what was
 * asked for can be asked again.
 * @param rest what became of the request, and what to do
 */
export function explainDatabase(error: unknown, rest: string): AppError | null {
  const shortage = shortageOf(error);
  if (shortage !== null)
    return new AppError("unavailable", `${shortage.sentence} ${rest}`, { details: { cause: shortage.cause }, cause: error });
  return isConnectionLoss(error) ? new AppError("unavailable", `The database cannot be reached. ${rest}`, { cause: error }) : null;
}

function shortageOf(error: unknown): Shortage | null {
  if (!(error instanceof Error)) return null;
  const code = errorCodes(error).find((each) => /^53[0-9A-Z]{3}$/.test(each));
  return code === undefined ? null : (SHORTAGES[code] ?? OTHER_SHORTAGE);
}
