import { readFile, readdir, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { CheckpointLayout } from "./layout.ts";

export interface FoundCheckpoint {
  readonly folder: string;
  readonly step: number;
  readonly layout: CheckpointLayout;
}

export interface FoundCheckpoints {
  /** By rising step. */
  readonly checkpoints: readonly FoundCheckpoint[];
  /** Step that a pointer names, with the pointer's own name. */
  readonly pointed: ReadonlyMap<number, string>;
}

/** Longer than any pointer. */
const MAX_POINTER_CHARS = 256;

/** Folders of a directory that are checkpoints by their names, and which of them a pointer such as `latest` names. */
export async function findCheckpoints(dir: string, layouts: readonly CheckpointLayout[]): Promise<FoundCheckpoints> {
  const entries = await readdir(dir, { withFileTypes: true });
  const checkpoints = entries.flatMap((entry): FoundCheckpoint[] => {
    if (!entry.isDirectory()) return [];
    for (const layout of layouts) {
      const step = layout.stepOf(entry.name);
      if (step !== null) return [{ folder: entry.name, step, layout }];
    }
    return [];
  });
  const pointed = new Map<number, string>();
  const pointers = new Set(layouts.flatMap((layout) => layout.pointers));
  for (const { name } of entries) {
    if (!pointers.has(name)) continue;
    const step = stepNamed(await contentOf(join(dir, name)), layouts);
    if (step !== null) pointed.set(step, name);
  }
  return { checkpoints: checkpoints.toSorted((a, b) => a.step - b.step || (a.folder < b.folder ? -1 : 1)), pointed };
}

/** Of a link where it points to, of a file what it says. */
async function contentOf(path: string): Promise<string> {
  try {
    return basename(await readlink(path));
  } catch {
    return (await readFile(path, "utf8").catch(() => "")).slice(0, MAX_POINTER_CHARS).trim();
  }
}

/** `4000` (Megatron), `step-4000`, `checkpoints/step4000` … */
function stepNamed(content: string, layouts: readonly CheckpointLayout[]): number | null {
  const name = basename(content);
  for (const layout of layouts) {
    const step = layout.stepOf(name);
    if (step !== null) return step;
  }
  return /^\d+$/.test(name) ? Number(name) : null;
}
