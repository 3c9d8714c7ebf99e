import { sayInteger } from "@trainwatch/core";
import type { IssueList } from "./issue-list.ts";

/** Places that are shown of one file. */
const SHOWN = 5;

/** Places of one file that were not read, or read with a doubt: the first few, and how many more. @param total of which `listed` has the first 1,000 */
export function listedIssues(listed: IssueList["listed"], total: number, isCut: boolean): readonly string[] {
  const shown = listed.slice(0, SHOWN);
  const rest = total - shown.length;
  return [
    ...shown.map(({ line, message }) => `  ${line === null ? "" : `line ${sayInteger(line)}: `}${message}`),
    ...(rest > 0 ? [`  … and ${sayInteger(rest)} more; --json lists ${isCut ? "1,000 of them" : "them"}`] : []),
  ];
}
