import type { Label } from "@trainwatch/core";

export const LABEL_WORDS = { right: "Right", wrong: "Wrong", unsure: "Unsure" } as const satisfies Record<Label, string>;

export const LABEL_NOTES = {
  right: "Something was wrong, and it was worth telling.",
  wrong: "Nothing was wrong, or nothing that anybody would act on.",
  unsure: "Looked at and not settled. It counts for neither side.",
} as const satisfies Record<Label, string>;
