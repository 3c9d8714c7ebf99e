import type { HealthEventParts } from "../contract.ts";
import { eventText, subCode } from "../event-text.ts";

/** Lines about one kill come within so much of each other. */
const SAME_KILL_MS = 60_000;
/** A line without a process belongs to the kill that was told so shortly before. */
const NEAR_MS = 5_000;

/** `oom-kill:constraint=CONSTRAINT_MEMCG,…,task=python,pid=863987,uid=0`; may be cut before the task. */
const CHOSEN = /^oom-kill:constraint=/;
const TASK = /,task=([^,]{1,64}),pid=(\d+)/;
/** `Out of memory: Killed process 123 (python) total-vm:…`, `Memory cgroup out of memory: Killed process …`, `Out of memory: Kill process 456 (python) score 50 or sacrifice child`. */
const KILLED = /\b[Kk]ill(?:ed)? process (\d+)(?:, UID \d+,)?(?: \(([^)]{1,64})\))?/;
const REAPED = /^oom_reaper: reaped process (\d+) \(([^)]{1,64})\)/;

/**
 * Processes that the kernel kills for memory, each told once: by the first of the lines about it. Holds one kill.
 * @returns a rule with a memory; `timeMs` is of the line, null where unknown
 */
export function outOfMemory(): (text: string, timeMs: number | null) => HealthEventParts | null {
  let last: { readonly pid: string | null; readonly timeMs: number | null } | null = null;

  function isSame(pid: string | null, timeMs: number | null): boolean {
    if (last === null) return false;
    const apart = timeMs === null || last.timeMs === null ? 0 : Math.abs(timeMs - last.timeMs);
    if (pid !== null && last.pid !== null) return pid === last.pid && apart <= SAME_KILL_MS;
    return apart <= NEAR_MS;
  }

  return (text, timeMs) => {
    const told = read(text);
    if (told === null) return null;
    const isKnown = isSame(told.pid, timeMs);
    last = { pid: told.pid ?? (isKnown ? (last?.pid ?? null) : null), timeMs };
    if (isKnown) return null;
    return { kind: "oom", code: null, subCode: subCode(told.name), severity: "warning", entity: null, text: eventText(text) };
  };
}

function read(text: string): { readonly pid: string | null; readonly name?: string } | null {
  if (CHOSEN.test(text)) {
    const [, name, pid = null] = TASK.exec(text) ?? [];
    return name === undefined ? { pid } : { pid, name };
  }
  const [, pid, name] = KILLED.exec(text) ?? REAPED.exec(text) ?? [];
  if (pid === undefined) return null;
  return name === undefined ? { pid } : { pid, name };
}
