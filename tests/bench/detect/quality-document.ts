import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { detectorQuality } from "./detector-quality.ts";
import type { Cell, Part } from "./part.ts";
import { readTables } from "./quality-tables.ts";

const QUALITY_DOCUMENT = join(import.meta.dirname, "../../../docs/detection-quality.md");
/** What the catalogue shows of it. */
const QUALITY_FIGURES = join(import.meta.dirname, "../../../packages/detect/src/quality.json");

interface Results {
  readonly full: boolean;
  readonly parts: readonly (Part & { readonly name: string; readonly seconds: number })[];
}

/** Titles of the parts, as headings. */
const HEADINGS: Readonly<Record<string, string>> = {
  run: "A run as a whole",
  ranks: "Ranks",
  fleet: "Fleet",
  clusters: "End to end",
};

/** The figures as a document, and those of each detector for the catalogue: all of it comes from the bench, so that nobody has to believe a number that was typed. */
export async function writeQualityDocument(results: Results): Promise<void> {
  const document = qualityDocument(results);
  await writeFile(QUALITY_DOCUMENT, document);
  await writeFile(QUALITY_FIGURES, qualityFigures(document));
}

/** The catalogue's figures as they stand in a document: read from it, so that the two never differ. */
export function qualityFigures(document: string): string {
  const command = /^Written by `([^`]+)`/m.exec(document)?.[1];
  if (command === undefined) throw new Error("the document does not tell which command has written it");
  return `${JSON.stringify({ command, detectors: detectorQuality(readTables(document)) }, null, 2)}\n`;
}

export function qualityDocument({ full, parts }: Results): string {
  const command = `npm run bench -- detect --write${full ? " --full" : ""}`;
  const goals = parts.flatMap((part) => part.goals);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return `# How good the detectors are

Written by \`${command}\`; figures are not edited by hand. ${full ? "This is the long form." : "This is the short form; `--full` simulates more seeds and three days of 16,384 ranks."} It took ${Math.round(seconds / 60)} minutes on ${cpus()[0]?.model.trim() ?? "an unknown CPU"}.

- **Thresholds** are the defaults of the detectors' entries, frozen: the bench changes none. The seeds of the end-to-end part were drawn after they had been set, and no threshold was changed by what they showed; one rule was added (sequence lengths that become far more uneven are told anew).
- **The simulator** (\`packages/simulate\`) shares no code and no constants with the detectors.
- **An alarm** is a warning or worse; notes (\`info\`) are marks on a chart and raise nobody.
- **A delay** counts from the first struck step or second to the moment when the alarm is raised; what was never found counts as 9999 and sorts last.
- **Bounds** are Wilson intervals for shares and Poisson bounds for rates, at 95 %. No point is adjusted, no range is widened.
- **False alarms and delay belong together**: every detector's alarms on fault-free data stand in this document beside what it finds, at the same thresholds.

## Goals

${table(goals.map((goal) => ({ ...goal, met: goal.met ? "yes" : "**no**" })))}
${parts.map(partText).join("\n")}`;
}

function partText({ name, sections }: Part & { readonly name: string }): string {
  const body = sections
    .filter(({ isPrintedOnly }) => isPrintedOnly !== true)
    .map(({ title, text, rows }) => `### ${title}\n${text}\n\n${table(rows)}`);
  return `## ${HEADINGS[name] ?? name}\n\n${body.join("\n")}`;
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
