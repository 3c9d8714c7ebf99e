import { HOLD_PARAMETERS } from "../engine/choose.ts";

export const XID_PARAMETERS = [
  { name: "follow_s", value: 60, unit: "s", meaning: "XID 45 or 43 within so long after another code follows from it" },
  {
    name: "hold_s",
    value: 60,
    unit: "s",
    meaning: "Notes that may follow from another error, or be the application's, wait so long before they are told",
  },
  { name: "merge_s", value: 5, unit: "s", meaning: "The same code on the same GPU within so long is one occurrence" },
  {
    name: "repeat_s",
    value: 1_800,
    unit: "s",
    meaning: "Occurrences within so long are repeats; XID 13 and then 31 within it is one as well",
  },
  {
    name: "repeats",
    value: 3,
    unit: "times",
    meaning: "Occurrences of a code, which may be the application's or the GPU's, that make a ticket of a note",
  },
  {
    name: "job_share",
    value: 0.5,
    unit: "share",
    meaning: "An application error on more than so many of a job's nodes within follow_s is the application's",
  },
  { name: "silence_s", value: 180, unit: "s", meaning: "A burst is over after so long without another" },
  {
    name: "quiet_s",
    value: 21_600,
    unit: "s",
    meaning: "A fault that asks for a reset or a person stays open so long after its last XID, or until a reboot",
  },
  ...HOLD_PARAMETERS,
] as const;
export type XidParameterName = (typeof XID_PARAMETERS)[number]["name"];
