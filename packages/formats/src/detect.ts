import type { LogFormat } from "./format.ts";
import { type Recognition, recognise } from "./recognise.ts";
import { FORMATS } from "./registry.ts";

/** How much of a file `detectFormat` wants: 64 KiB of decompressed content, or all of a shorter file. */
export const HEAD_BYTES = 1 << 16;

export type Detection = Recognition<LogFormat>;

/**
 * Tells the format of a log by its first {@link HEAD_BYTES} (more is welcome) and by nothing else: names lie.
 * Refuses with a reason when nothing, or more than one format, is recognised.
 */
export function detectFormat(head: Uint8Array, formats: readonly LogFormat[] = FORMATS): Detection {
  return recognise(head, formats, { what: "log", readsZip: false });
}

/** The format of that id, as `--format` names it. */
export function formatById(id: string): LogFormat | undefined {
  return FORMATS.find((format) => format.id === id);
}
