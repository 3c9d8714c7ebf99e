import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { detectorQuality } from "./detector-quality.ts";
import type { Cell, Part } from "./part.ts";
import { readTables } from "./quality-tables.ts";

const QUALITY_DOCUMENT = join(import.meta.dirname, "../../../docs/detection-quality.md");
/** What the catalogue shows of it. */
const QUALITY_FIGURES = join(import.meta.dirname, "../../../packages/detect/src/quality.json");
const COMMAND = "npm run bench -- detect";

/** A part as it was measured. */
export interface MeasuredPart extends Part {
  readonly name: PartName;
  readonly isFull: boolean;
  readonly seconds: number;
  /** Day of the measurement, as 2026-11-30. */
  readonly day: string;
}

/** Parts in the order of the document, with their headings. */
export const PART_HEADINGS = {
  run: "A run as a whole",
  "post-training": "Post-training",
  ranks: "Ranks",
  fleet: "Fleet",
  clusters: "End to end",
} as const;
export type PartName = keyof typeof PART_HEADINGS;

/** Puts what was measured into the document, and the figures of each detector where the catalogue reads them: all of it comes from the bench, so that nobody has to believe a number that was typed. */
export async function writeQualityDocument(parts: readonly MeasuredPart[]): Promise<void> {
  const document = mergedDocument(await readFile(QUALITY_DOCUMENT, "utf8"), parts);
  await writeFile(QUALITY_DOCUMENT, document);
  await writeFile(QUALITY_FIGURES, qualityFigures(document));
}

/** The catalogue's figures as they stand in a document: read from it, so that the two never differ. */
export function qualityFigures(document: string): string {
  return `${JSON.stringify({ command: COMMAND, detectors: detectorQuality(readTables(document)) }, null, 2)}\n`;
}

/** The document with these parts in place of theirs; the others stay as they are, with the day and the command that gave them. */
export function mergedDocument(before: string, parts: readonly MeasuredPart[]): string {
  const names = Object.keys(PART_HEADINGS).filter((name) => isPartName(name));
  const goals = readTables(before).get("Goals")?.rows ?? [];
  const rows = names.flatMap((name) => {
    const measured = parts.find((part) => part.name === name);
    if (measured === undefined) return goals.filter(({ part }) => part === PART_HEADINGS[name]);
    return measured.goals.map(({ goal, measured: value, met }) => ({
      part: PART_HEADINGS[name],
      goal,
      measured: value,
      met: met ? "yes" : "**no**",
    }));
  });
  const texts = names.flatMap((name) => {
    const measured = parts.find((part) => part.name === name);
    return measured === undefined ? textBefore(before, name) : [partText(measured)];
  });
  return `${HEAD}
## Goals

${table(rows)}
${texts.join("\n")}`;
}

export function isPartName(name: string): name is PartName {
  return name in PART_HEADINGS;
}

const HEAD = `# How good the detectors are

Written by \`${COMMAND} --write\`; figures are not edited by hand. \`--part=NAME\` (${Object.keys(PART_HEADINGS).join(", ")}) measures and writes one part and leaves the others; each tells when and by which command it was measured. \`--full\` simulates more seeds, and three days of 16,384 ranks.

- **Thresholds** are the defaults of the detectors' entries: the bench changes none. No threshold was chosen on the seeds of the end-to-end and of the post-training part; one rule was added after the former had been seen (sequence lengths that become far more uneven are told anew).
- **The simulator** (\`packages/simulate\`) shares no code and no constants with the detectors; noise that the bench makes itself (\`tests/bench/detect\`) takes random draws from \`packages/stats\`, and the detectors draw nothing.
- **An alarm** is a warning or worse; notes (\`info\`) are marks on a chart and raise nobody.
- **A delay** counts from the first struck step or second to the moment when the alarm is raised; what was never found counts as 9999 and sorts last.
- **Bounds** are Wilson intervals for shares and Poisson bounds for rates, at 95 %. No point is adjusted, no range is widened.
- **False alarms and delay belong together**: what a detector says on fault-free data stands in this document beside what it finds, at the same thresholds.
`;

/** What a document has under a part's heading. */
function textBefore(document: string, name: PartName): readonly string[] {
  const text = document.split(/^(?=## )/m).find((part) => part.startsWith(`## ${PART_HEADINGS[name]}\n`));
  return text === undefined ? [] : [`${text.trimEnd()}\n`];
}

function partText({ name, sections, isFull, seconds, day }: MeasuredPart): string {
  const body = sections
    .filter(({ isPrintedOnly }) => isPrintedOnly !== true)
    .map(({ title, text, rows }) => `### ${title}\n${text}\n\n${table(rows)}`);
  const command = `${COMMAND} --part=${name}${isFull ? " --full" : ""} --write`;
  const took = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
  return `## ${PART_HEADINGS[name]}\n\nMeasured on ${day} by \`${command}\`, in ${took} on ${cpus()[0]?.model.trim() ?? "an unknown CPU"}.\n\n${body.join("\n")}`;
}

function table(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const body = rows.map((row) => line(columns.map((column) => textOf(row[column] ?? null))));
  return `${line(columns)}${line(columns.map(() => "---"))}${body.join("")}`;
}

function textOf(value: Cell): string {
  if (value === null) return "";
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value).replaceAll("|", "/");
}
