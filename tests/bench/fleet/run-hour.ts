import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HourOrder, HourProgress } from "./hour-main.ts";

/** Lets a process of its own send an hour; each step is told when it has been acknowledged. */
export async function sendHour(order: HourOrder, onStep: (progress: HourProgress) => void): Promise<void> {
  const child = fork(fileURLToPath(new URL("hour-main.ts", import.meta.url)), [JSON.stringify(order)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let isComplete = false;
  child.on("message", (message) => {
    if (!isProgress(message)) throw new Error("the sender said something else");
    isComplete = message.isLast;
    onStep(message);
  });
  const [code] = await once(child, "exit");
  if (!isComplete) throw new Error(`the sender ended with ${String(code)} before its hour was over`);
}

function isProgress(value: unknown): value is HourProgress {
  return typeof value === "object" && value !== null && "timeMs" in value && "isLast" in value;
}
