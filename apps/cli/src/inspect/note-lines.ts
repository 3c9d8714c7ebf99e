import { SHAPES, counted } from "./incident-lines.ts";
import type { RunRecorder } from "./run-recorder.ts";

const SHOWN_NOTES = 3;

/** Findings that opened no incident: how many, and the first of them. */
export function noteLines({ ledger }: RunRecorder): readonly string[] {
  const inIncidents = new Set(ledger.incidents().flatMap((incident) => incident.findings.map((finding) => finding.id)));
  const notes = ledger.findings().filter((finding) => !inIncidents.has(finding.id));
  const total = notes.length + ledger.notesOmitted;
  if (total === 0) return [];
  return [
    `  ${SHAPES.info}: ${counted(total, "one-step outlier or other note", "one-step outliers and other notes")} that opened no incident`,
    ...notes.slice(0, SHOWN_NOTES).map((finding) => `      ${finding.summary}`),
  ];
}

/** Detectors that could not see, with the reason and the attempts it holds for: no finding from them is no all-clear. */
export function blindLines(recorder: RunRecorder): readonly string[] {
  const attempts = recorder.attempts();
  const blind = new Map<string, string[]>();
  for (const { name } of attempts) {
    for (const { detector, sees, why } of recorder.shelf.facts(name)?.coverage ?? []) {
      if (sees) continue;
      const text = `${detector}${why === null ? "" : `, ${why}`}`;
      blind.set(text, [...(blind.get(text) ?? []), name]);
    }
  }
  return [...blind].map(([text, names]) => `  blind: ${text}${where(names, attempts.length)}`);
}

function where(names: readonly string[], attempts: number): string {
  if (names.length === attempts) return "";
  return names.length > 3 ? ` (${names.length} of ${attempts} attempts)` : ` (${names.join(", ")})`;
}
