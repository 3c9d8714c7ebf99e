import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadOrder, LoadResult } from "./load-main.ts";

/** A sender that has made its frames and told the server every series of them. */
export interface ReadyLoad {
  /** Sends everything. */
  go(): Promise<LoadResult>;
}

export async function prepareLoad(order: LoadOrder): Promise<ReadyLoad> {
  const child = fork(fileURLToPath(new URL("load-main.ts", import.meta.url)), [JSON.stringify(order)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await nextMessage(child);
  return {
    async go() {
      child.send("go");
      const result = await nextMessage(child);
      child.disconnect();
      if (!isResult(result)) throw new Error("the sender answered something else");
      return result;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const died = once(child, "exit").then(([code]) => Promise.reject(new Error(`the sender ended with ${String(code)}`)));
  const [message] = await Promise.race([once(child, "message"), died]);
  return message;
}

function isResult(value: unknown): value is LoadResult {
  return typeof value === "object" && value !== null && "wallMs" in value && "latenciesMs" in value;
}
