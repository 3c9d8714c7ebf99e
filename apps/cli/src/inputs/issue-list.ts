import type { ParseIssue } from "@trainwatch/core";

/** So many issues of an input are listed; all are counted. */
const MAX_LISTED = 1_000;

/** A place in an input that was not read, or read with a doubt. `line` is null where the fault is the input's as a whole. */
export interface Issue extends Omit<ParseIssue, "line"> {
  readonly line: number | null;
}

export class IssueList {
  readonly listed: Issue[] = [];
  total = 0;

  add(issue: Issue): void {
    this.total++;
    if (this.listed.length < MAX_LISTED) this.listed.push(issue);
  }
}
