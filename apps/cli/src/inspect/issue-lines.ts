import { listedIssues } from "../inputs/listed-issues.ts";
import { counted } from "./incident-lines.ts";
import type { InspectedInput, Inspection } from "./inspect-inputs.ts";

/** Places that were not read, or read with a doubt. What makes an input unreadable goes to standard error instead. */
export function issueLines({ inputs, skipped }: Inspection): readonly string[] {
  const lines = inputs.flatMap((input) => inputIssues(input));
  if (skipped.length === 0) return lines;
  return [
    ...lines,
    `${counted(skipped.length, "file")} in the directory ${skipped.length === 1 ? "is" : "are"} no log and passed over; --json lists them.`,
  ];
}

function inputIssues(input: InspectedInput): readonly string[] {
  const own = input.issues.filter((issue) => issue.message !== input.fault?.message);
  const total = input.issuesTotal - (input.fault === null ? 0 : 1);
  if (own.length === 0) return [];
  return [`${input.path}: ${counted(total, "issue")}`, ...listedIssues(own, total, input.issuesTotal > input.issues.length)];
}
