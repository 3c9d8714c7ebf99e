import type { EvalSettings } from "@trainwatch/core";
import { sayInteger } from "@trainwatch/core";

/** Settings of a row in few words: "5-shot, strict match, chat template, first 100 samples". Those without words of their own stay unsaid. */
export function settingWords(settings: EvalSettings, filter: string | null): string {
  const { nShot, limit, epochs, chatTemplate, judge, opponent } = settings;
  const temperature = settings["generation.temperature"];
  return [
    isTold(nShot) ? `${String(nShot)}-shot` : null,
    isTold(filter ?? undefined) ? String(filter).replace(/[-_]+/g, " ") : null,
    isTold(chatTemplate) && chatTemplate !== false ? "chat template" : null,
    isTold(limit) ? (typeof limit === "number" && limit >= 1 ? `first ${sayInteger(limit)} samples` : `limit ${String(limit)}`) : null,
    typeof epochs === "number" && epochs > 1 ? `${epochs} epochs` : null,
    isTold(temperature) ? `temperature ${String(temperature)}` : null,
    isTold(opponent) ? `against ${String(opponent)}` : null,
    isTold(judge) ? `judged by ${String(judge)}` : null,
  ]
    .filter((words) => words !== null)
    .join(", ");
}

const isTold = (value: string | number | boolean | undefined): value is string | number | boolean =>
  value !== undefined && value !== "" && value !== "none" && value !== "null";
