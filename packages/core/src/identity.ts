const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MASK_64 = 0xffffffffffffffffn;

/** FNV-1a, 64 bit, over UTF-16 code units, as 16 hex digits. Stable across machines; not for secrets. */
export function hash64(text: string): string {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash ^ BigInt(text.charCodeAt(index))) * FNV_PRIME) & MASK_64;
  }
  return hash.toString(16).padStart(16, "0");
}

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
  return hash64(JSON.stringify([detector, run, attempt, metricFamily, subject.kind, subject.id]));
}

/** Identity of one finding: its fingerprint and the step or time at which it was detected. */
export function findingId(fingerprint: string, detectedAt: number): string {
  return hash64(JSON.stringify([fingerprint, detectedAt]));
}
