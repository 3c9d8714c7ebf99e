import { basename, dirname } from "node:path";

/** Project of a run that no one has named. */
export const DEFAULT_PROJECT = "default";

export interface RunName {
  readonly project: string;
  readonly name: string;
}

/** `project/name`, or a name alone in the default project. Null where either part is empty. */
export function parseRunName(text: string): RunName | null {
  const slash = text.indexOf("/");
  const [project, name] = slash < 0 ? [DEFAULT_PROJECT, text] : [text.slice(0, slash), text.slice(slash + 1)];
  return project.trim() === "" || name.trim() === "" || project.length > 256 || name.length > 256
    ? null
    : { project: project.trim(), name: name.trim() };
}

/** Run names for files: the stem, with as many parent folders before it as tell equal stems apart. */
export function nameFiles(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => withParents(path, 0));
  for (let depth = 1; depth <= 8; depth++) {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const clashing = names.map((name) => (counts.get(name) ?? 0) > 1);
    if (!clashing.includes(true)) break;
    for (const [index, path] of paths.entries()) if (clashing[index] === true) names[index] = withParents(path, depth);
  }
  return names.map((name) => name.slice(-256));
}

function withParents(path: string, depth: number): string {
  if (path === "-") return "stdin";
  let name = stem(basename(path));
  let folder = dirname(path);
  for (let level = 0; level < depth; level++) {
    const parent = basename(folder);
    if (parent === "" || parent === "." || parent === "..") break;
    name = `${parent}/${name}`;
    folder = dirname(folder);
  }
  return name;
}

/** `train.log.gz` is `train`. A TensorBoard file has no ending that says anything, so it keeps its name. */
function stem(file: string): string {
  if (file.includes(".tfevents.")) return file;
  const bare = file.replace(/\.gz$/i, "").replace(/\.(log|txt|out|err|json|jsonl|csv|tsv)$/i, "");
  return bare === "" ? file : bare;
}
