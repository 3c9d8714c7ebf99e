type Cell = string | number | boolean | null;

/** A markdown table on stderr: stdout is for the JSON. */
export function printTable(title: string, rows: readonly Readonly<Record<string, Cell>>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => line(columns.map((column) => String(row[column] ?? "").replaceAll("|", "/"))));
  console.error([`\n### ${title}`, "", line(columns), line(columns.map(() => "---")), ...body].join("\n"));
}
