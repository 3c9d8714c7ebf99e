import { eventText, subCode } from "../../event-text.ts";
import type { KernelRule } from "./rule.ts";

/** `pt_main_thread[2536443]: segfault at 7f79… ip … error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]`. */
const SEGFAULT = /^(.{1,64}?)\[\d+\]: segfault at .*?(?: in ([^\s[]+)\[[0-9a-f+,]+\])?\.?(?: likely on CPU .*)?$/i;
/** `traps: pt_main_thread[123] general protection fault ip:… sp:… error:0 in libnccl.so.2[…]`. */
const TRAP = /^traps: (.{1,64}?)\[\d+\] .{3,60}? ip:.*?(?: in ([^\s[]+)\[[0-9a-f+,]+\])?$/i;
const HUNG_TASK = /^INFO: task (.{1,64}):\d+ blocked for more than \d+ seconds/;
const PEER_MEMORY = /^nvidia-peermem .*\binvalid context\b/;

/** Processes that crash in NCCL are events of NCCL; others are told without notifying anybody. */
export const processFault: KernelRule = (text) => {
  const found = SEGFAULT.exec(text) ?? TRAP.exec(text);
  if (found !== null) {
    const [, process = "", library] = found;
    const isNccl = library !== undefined && /nccl/i.test(library);
    return {
      kind: isNccl ? "nccl" : "kernel",
      code: null,
      subCode: subCode(isNccl ? `crash in ${library}` : `crash of ${process}`),
      severity: isNccl ? "warning" : "info",
      entity: null,
      text: eventText(text),
    };
  }
  const task = HUNG_TASK.exec(text)?.[1];
  if (task !== undefined) return node(`hung task ${task}`, text);
  return PEER_MEMORY.test(text) ? node("peermem invalid context", text) : null;
};

function node(what: string, text: string): ReturnType<KernelRule> {
  return { kind: "kernel", code: null, subCode: subCode(what), severity: "warning", entity: null, text: eventText(text) };
}
