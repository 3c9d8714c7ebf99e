import { decodeFrame, encodeFrame } from "@trainwatch/core";
import type { FrameDictionary, FrameRow } from "@trainwatch/core";

/** Frames as they lie in the spool: rows with the digests of their series, the series themselves apart. */
export type KnownDictionaries = ReadonlyMap<string, FrameDictionary>;

/** One request out of many frames, rows in order. @param withSeries digests whose series the server may not know */
export function joinFrames(
  source: string,
  frames: readonly Uint8Array[],
  known: KnownDictionaries,
  withSeries: (digest: string) => boolean,
): Uint8Array {
  const places = new Map<string, number>();
  const rows: FrameRow[] = [];
  for (const bytes of frames) {
    const { header, rows: own } = decodeFrame(bytes, ({ digest }) => known.get(digest)?.series?.length ?? null);
    for (const row of own) {
      const digest = header.dictionaries[row.dictionary]?.digest;
      if (digest === undefined) continue;
      const place = places.get(digest) ?? places.size;
      places.set(digest, place);
      rows.push({ ...row, dictionary: place });
    }
  }
  const dictionaries = [...places.keys()].map((digest): FrameDictionary => {
    const whole = known.get(digest);
    return whole !== undefined && withSeries(digest) ? whole : { digest };
  });
  return encodeFrame({ source, dictionaries }, rows);
}

/** Digests that the rows of these frames need. */
export function digestsOf(frames: readonly Uint8Array[], known: KnownDictionaries): ReadonlySet<string> {
  const digests = new Set<string>();
  for (const bytes of frames)
    for (const { digest } of decodeFrame(bytes, (dictionary) => known.get(dictionary.digest)?.series?.length ?? null).header.dictionaries)
      digests.add(digest);
  return digests;
}

/** Time of the oldest row; null where there is none. */
export function oldestMs(frames: readonly Uint8Array[], known: KnownDictionaries): number | null {
  const [first] = frames;
  if (first === undefined) return null;
  const { rows } = decodeFrame(first, ({ digest }) => known.get(digest)?.series?.length ?? null);
  return rows[0]?.timeMs ?? null;
}
