import { sayInteger } from "@trainwatch/core";
import type { CheckpointFile, Inspection } from "./layout.ts";

export interface Verdict {
  readonly isComplete: boolean;
  /** Why, in words for the record: "1 shard missing: __1_0.distcp". */
  readonly reason: string;
}

/** Names that a writer uses until a file is whole. */
const UNFINISHED = /\.(?:tmp|part|partial|incomplete|lock)$|(?:^|\/)\.?tmp[-_.]/;
const SHOWN_NAMES = 3;

/**
 * Complete only where every shard and the metadata are there and none is empty. What a pointer such as `latest` says does not count (C8).
 * @param neighbour a complete checkpoint of the same run, for layouts that do not say how many shards there must be
 */
export function judge(
  files: readonly CheckpointFile[],
  { shards, missing, missingMetadata, knowsItsShards }: Inspection,
  neighbour: { readonly step: number; readonly shards: number } | null,
): Verdict {
  const faults: string[] = [];
  if (missingMetadata.length > 0) faults.push(`metadata absent: ${listed(missingMetadata)}`);
  if (missing.length > 0) faults.push(`${shardCount(missing.length)} missing: ${listed(missing)}`);
  const empty = shards.filter(({ bytes }) => bytes === 0).map(({ path }) => path);
  if (empty.length > 0) faults.push(`${shardCount(empty.length)} of 0 bytes: ${listed(empty)}`);
  const unfinished = files.filter(({ path }) => UNFINISHED.test(path)).map(({ path }) => path);
  if (unfinished.length > 0) faults.push(`not finished: ${listed(unfinished)}`);
  if (shards.length === 0 && missing.length === 0) faults.push("no shard");
  if (faults.length === 0 && !knowsItsShards && neighbour !== null && shards.length < neighbour.shards)
    faults.push(`${shards.length} shards where step ${sayInteger(neighbour.step)} has ${neighbour.shards}`);
  if (faults.length > 0) return { isComplete: false, reason: faults.join("; ") };
  return { isComplete: true, reason: `all ${shardCount(shards.length)} and the metadata are there` };
}

function shardCount(count: number): string {
  return count === 1 ? "1 shard" : `${count} shards`;
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
