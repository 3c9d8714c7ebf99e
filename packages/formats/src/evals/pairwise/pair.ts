import { textHash } from "@trainwatch/core";

/** Length as Python's `len` counts it, which these tools use: a character outside the basic plane is one. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Keys of prompts: the same prompt has the same key in every file; a prompt asked again in one file is told apart by its turn. */
export function promptKeys(): (prompt: string) => string {
  const seen = new Map<string, number>();
  return (prompt) => {
    const key = `prompt:${textHash(prompt)}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key}#${times}`;
  };
}
