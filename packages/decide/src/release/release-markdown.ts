import type { GateCell, ReleaseCell, ReleaseDetail, ReleaseRow } from "@trainwatch/core";
import { DIMENSION_TITLES, DIMENSIONS, MINUS, sayFixed, sayInteger, VERDICT_WORDS } from "@trainwatch/core";
import { sayRowDifference, sayRowValue, signed } from "./gate-words.ts";

/** A release as Markdown: what is compared, every row with its verdicts, gates, overrides, what breaks, signatures, notes. */
export function releaseMarkdown(detail: ReleaseDetail): string {
  const { comparison, spec } = detail;
  const { columns, family } = comparison;
  const sections = [
    `# ${plain(spec.name)}`,
    columns.map(columnLine).join("\n"),
    `${sayInteger(family.tests)} tests, ${family.correction === "holm" ? "Holm" : "Benjamini–Hochberg"} at ${percent(family.level)}; a loss up to ${percent(family.margin)} of the scale does not matter.`,
    ...DIMENSIONS.map((dimension) => dimensionTable(detail, dimension)),
    gateTable(detail),
    overrideList(detail),
    breakList(detail),
    signatureList(detail),
    cellNotes(comparison),
    comparison.notes.length === 0 ? "" : `## Notes\n\n${comparison.notes.map((note) => `- ${plain(note)}`).join("\n")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Text of a source as it stands in Markdown: no line ends a table, no bar a cell, no sign a format. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#|~&]/g, String.raw`\$&`);
}

const percent = (share: number): string => `${sayFixed(share * 100, 1).replace(/\.0$/, "")} %`;

function columnLine({ letter, model, step, warnings }: ReleaseDetail["comparison"]["columns"][number]): string {
  const where = step === null ? "" : `, step ${sayInteger(step)}`;
  return `- **${letter}** ${plain(model)}${where}${letter === "P" ? ", baseline" : ""}${warnings.map((warning) => `; ${plain(warning)}`).join("")}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function dimensionTable({ comparison }: ReleaseDetail, dimension: (typeof DIMENSIONS)[number]): string {
  const rows = comparison.rows.filter((row) => row.dimension === dimension);
  if (rows.length === 0) return "";
  const head = ["Row", ...comparison.columns.map(({ letter }) => letter), "Order; ties in brackets"];
  return `## ${DIMENSION_TITLES[dimension]}\n\n${table(
    head,
    rows.map((row) => [rowTitle(row), ...row.cells.map((cell, column) => cellText(row, cell, column)), orderText(row, comparison.columns)]),
  )}`;
}

function rowTitle({ title, better, group, settings }: ReleaseRow): string {
  const more = [better === "lower" ? "lower is better" : null, group, settings === "" ? null : settings].filter((part) => part !== null);
  return more.length === 0 ? plain(title) : `${plain(title)} (${plain(more.join("; "))})`;
}

function cellText(row: ReleaseRow, cell: ReleaseCell, column: number): string {
  if (cell.verdict === "not-run") return VERDICT_WORDS["not-run"];
  const value = typeof cell.value === "number" ? plain(sayRowValue(cell.value, row)) : (cell.value ?? "no value");
  if (column === 0 || cell.verdict === "missing")
    return cell.verdict === "missing" ? `${value}, ${VERDICT_WORDS.missing}` : withInterval(value, row, cell);
  // Counted against the baseline: the value is the comparison.
  if (row.dimension === "regression") return withInterval(value, row, cell);
  const delta = cell.delta === null ? "" : `, ${plain(sayRowDifference(cell.delta, row))}`;
  const interval =
    cell.deltaLow === null || cell.deltaHigh === null ? "" : ` (${signed(cell.deltaLow, row)} to ${signed(cell.deltaHigh, row)})`;
  const forbidden = cell.differences.filter(({ forbids }) => forbids).map((difference) => differenceText(difference));
  const why = forbidden.length === 0 ? "" : `: ${plain(forbidden.join(", "))}${cell.overridden ? ", allowed" : ""}`;
  const settled = cell.verdict === "tie" && cell.equivalent === true ? ", no loss beyond the margin" : "";
  return `${value}${delta}${interval}, ${VERDICT_WORDS[cell.verdict]}${settled}${why}`;
}

function withInterval(value: string, row: ReleaseRow, { low, high }: ReleaseCell): string {
  return low === null || high === null
    ? value
    : `${value} (${sayFixed(low * row.scale, row.digits)} to ${sayFixed(high * row.scale, row.digits)})`;
}

/** "n-shot 5 vs 0". */
export function differenceText({ title, baseline, candidate }: ReleaseCell["differences"][number]): string {
  if (baseline === null && candidate === null) return `${title} not known`;
  return `${title} ${baseline ?? "not told"} vs ${candidate ?? "not told"}`;
}

/** "B (A P) C": those in brackets are not told apart; overlapping groups are listed one after the other. */
function orderText({ order, tieGroups }: ReleaseRow, columns: ReleaseDetail["comparison"]["columns"]): string {
  if (order.length === 0) return MINUS;
  return tieGroups
    .map((group) => {
      const letters = group.map((column) => columns[column]?.letter ?? "?").join(" ");
      return group.length === 1 ? letters : `(${letters})`;
    })
    .join(" ");
}

function gateTable({ gateViews, comparison }: ReleaseDetail): string {
  if (gateViews.length === 0) return "";
  const state = ({ state, text, override }: GateCell): string => `${state}${override === null ? "" : ", overridden"}: ${plain(text)}`;
  const head = ["Gate", ...comparison.columns.slice(1).map(({ letter }) => letter)];
  return `## Gates\n\n${table(
    head,
    gateViews.map(({ title, cells }) => [plain(title), ...cells.map(state)]),
  )}`;
}

function overrideList({ gateViews, overrides, comparison }: ReleaseDetail): string {
  const letter = (scorecardId: number): string => comparison.columns.find((column) => column.scorecardId === scorecardId)?.letter ?? "?";
  const gates = gateViews.flatMap(({ title, cells }) =>
    cells.flatMap(({ column, override }) =>
      override === null
        ? []
        : [
            `- Gate “${plain(title)}” of ${comparison.columns[column]?.letter ?? "?"}, by ${plain(override.actor)} at ${time(override.atMs)}: ${plain(override.reason)}`,
          ],
    ),
  );
  const rows = overrides.map((override) => {
    const title = comparison.rows.find(({ key }) => key === override.rowKey)?.title ?? override.rowKey;
    return `- Comparison of ${letter(override.scorecardId)} on “${plain(title)}”, by ${plain(override.actor)} at ${time(override.atMs)}: ${plain(override.reason)}`;
  });
  return gates.length + rows.length === 0 ? "" : `## Overrides\n\n${[...gates, ...rows].join("\n")}`;
}

const time = (atMs: number): string => new Date(atMs).toISOString();

const MOST_NOTED = 200;

/** What is said of single results: samples without a score, on how many the comparison stands. */
function cellNotes({ columns, rows }: ReleaseDetail["comparison"]): string {
  const lines = rows.flatMap(({ title, cells }) =>
    cells.flatMap(({ notes }, column) =>
      notes.length === 0 ? [] : [`- **${columns[column]?.letter ?? "?"}**, ${plain(title)}: ${plain(notes.join("; "))}`],
    ),
  );
  if (lines.length === 0) return "";
  const rest = lines.length > MOST_NOTED ? `\n\nThe first ${sayInteger(MOST_NOTED)} of ${sayInteger(lines.length)} are shown.` : "";
  return `## On single results\n\n${lines.slice(0, MOST_NOTED).join("\n")}${rest}`;
}

const MOST_CLUSTERS = 10;

function breakList({ comparison }: ReleaseDetail): string {
  const parts = comparison.breaks.map(({ column, pairs, lost, won, clusters, clusterTotal }) => {
    const head = `### ${comparison.columns[column]?.letter ?? "?"}: ${sayInteger(lost)} lost, ${sayInteger(won)} won of ${sayInteger(pairs)} common samples`;
    const losing = clusters.filter((cluster) => cluster.lost > 0);
    const worst = losing.slice(0, MOST_CLUSTERS);
    // Where a release has more than it tells of, the number of those that lose is not known, that of all is.
    const total = clusterTotal > clusters.length ? clusterTotal : losing.length;
    const rest = total > worst.length ? `\n\nThe ${sayInteger(worst.length)} worst of ${sayInteger(total)} categories are shown.` : "";
    return worst.length === 0
      ? head
      : `${head}\n\n${table(
          ["Task", "Category", "Lost", "Won"],
          worst.map((cluster) => [plain(cluster.task), plain(cluster.category ?? ""), sayInteger(cluster.lost), sayInteger(cluster.won)]),
        )}${rest}`;
  });
  return parts.length === 0 ? "" : `## What breaks\n\n${parts.join("\n\n")}`;
}

function signatureList({ signatures, spec, frozen }: ReleaseDetail): string {
  const lines = spec.signers.map((role) => {
    const own = signatures.find((signature) => signature.role === role);
    return own === undefined ? `- ${plain(role)}: not signed` : `- ${plain(role)}: ${plain(own.signedAs)} at ${time(own.atMs)}`;
  });
  const copy = frozen === null ? "" : `\n\nFrozen copy: SHA-256 ${frozen.hash}, ${sayInteger(frozen.rows)} rows, ${time(frozen.atMs)}.`;
  return `## Signatures\n\n${lines.join("\n")}${copy}`;
}
