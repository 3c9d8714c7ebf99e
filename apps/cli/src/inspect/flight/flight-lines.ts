import { sayInteger } from "@trainwatch/core";
import type { Suspect } from "@trainwatch/detect";
import { counted } from "../incident-lines.ts";
import type { InspectedFlight } from "./flight-folder.ts";

/** Rows shown to people; `--json` has all. */
const SHOWN_SUSPECTS = 16;
const SHOWN_REASONS = 3;

/** Said by the cause already. */
const NO_DUMP = "It has left no dump.";

const CAUSES: Readonly<Record<Suspect["cause"], string>> = {
  "missing-dump": "has left no dump",
  "mismatched-call": "called something else than the others",
  behind: "is behind, and the others wait for it",
  unfinished: "has enqueued as the others have, but its GPU stands",
};

/** What the dumps of a folder say: whom the others wait for, and in which groups. */
export function flightLines({ folder, ranks, analysis }: InspectedFlight): readonly string[] {
  const { suspects, waits, expected } = analysis;
  const title = `${folder} · NCCL flight recorder · ${sayInteger(ranks.length)} of ${counted(expected, "rank")}`;
  if (suspects.length === 0)
    return [
      title,
      `  No rank stands out${waits.length === 0 ? ": nobody waits" : `: ${counted(waits.length, "group")} of ranks wait for nothing that the dumps show`}.`,
    ];
  // Where most are missing, the folder holds a part of the dumps, and that they lack says nothing.
  const isPart = 2 * ranks.length < expected;
  const told = isPart ? suspects.filter(({ cause }) => cause !== "missing-dump") : suspects;
  const left = told.length - SHOWN_SUSPECTS;
  return [
    title,
    ...(isPart
      ? [
          `  ${counted(expected - ranks.length, "rank")} have left no dump in it. Put the dumps of all ranks into one folder to see whom they wait for.`,
        ]
      : []),
    ...told.slice(0, SHOWN_SUSPECTS).flatMap((suspect) => suspectLines(suspect)),
    ...(left > 0 ? [`  … and ${sayInteger(left)} more; --json lists them`] : []),
  ];
}

function suspectLines({ rank, cause, victims, reasons }: Suspect): readonly string[] {
  const waiting = victims === 0 ? "" : `; ${counted(victims, "rank")} ${victims === 1 ? "waits" : "wait"} for it, directly or in the end`;
  const facts = reasons.filter((reason) => reason !== NO_DUMP);
  const left = facts.length - SHOWN_REASONS;
  return [
    `  ◆ rank ${rank} ${CAUSES[cause]}${waiting}`,
    ...facts.slice(0, SHOWN_REASONS).map((reason) => `      ${reason}`),
    ...(left > 0 ? [`      … and ${counted(left, "more reason")}`] : []),
  ];
}
