import { textHash } from "./text-hash.ts";

export interface FingerprintParts {
  readonly detector: string;
  /** `project/name`. */
  readonly run: string;
  /** Name of the attempt within its run, such as `a2`. */
  readonly attempt: string;
  readonly metricFamily: string;
  readonly subject: { readonly kind: string; readonly id: string };
}

/** What makes two findings the same fault. The onset is not in it: it moves as more is known. */
export function findingFingerprint(parts: FingerprintParts): string {
  const { detector, run, attempt, metricFamily, subject } = parts;
  return textHash(JSON.stringify([detector, run, attempt, metricFamily, subject.kind, subject.id]));
}

/** Identity of one finding: its fingerprint and the step or time at which it was detected. */
export function findingId(fingerprint: string, detectedAt: number): string {
  return textHash(JSON.stringify([fingerprint, detectedAt]));
}
