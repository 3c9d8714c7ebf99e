import type { CheckpointFolder } from "./layout.ts";

/** A metadata file longer than this is read to here only; shards named beyond are not missed. 70,000 names fit. */
const MAX_METADATA_BYTES = 32 * 1024 * 1024;

/** Names that are written out in a metadata file, whatever its encoding: a pickle holds its strings as they are. */
export async function namesIn(folder: CheckpointFolder, path: string, pattern: RegExp): Promise<ReadonlySet<string>> {
  const text = Buffer.from(await folder.read(path, MAX_METADATA_BYTES)).toString("latin1");
  return new Set(Array.from(text.matchAll(pattern), ([name]) => name));
}

/**
 * Numbers that are missing below the highest one: of ranks 0, 1 and 3 it is 2.
 * @param nameOf file name of a number
 */
export function gaps(numbers: readonly number[], nameOf: (number: number) => string): readonly string[] {
  const there = new Set(numbers);
  const highest = Math.max(-1, ...numbers);
  const missing: string[] = [];
  for (let number = 0; number < highest; number++) if (!there.has(number)) missing.push(nameOf(number));
  return missing;
}

/** `model-00002-of-00004.safetensors`: what the other names of its series say must be there. */
export function missingOfSeries(names: readonly string[]): readonly string[] {
  const there = new Set(names);
  const missing = new Set<string>();
  for (const name of names) {
    const found = /^(.*-)(\d{5})-of-(\d{5})(\.\w+)$/.exec(name);
    if (found === null) continue;
    const [, stem = "", , total = "", ending = ""] = found;
    for (let part = 1; part <= Number(total); part++) {
      const each = `${stem}${String(part).padStart(5, "0")}-of-${total}${ending}`;
      if (!there.has(each)) missing.add(each);
    }
  }
  return [...missing];
}
