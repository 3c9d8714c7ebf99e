import { spawn } from "node:child_process";

export interface Leash {
  /** Stops what still runs, removes the folder, and returns when both are done. */
  release(): Promise<void>;
}

/**
 * For throw-away databases: a shell that waits for the end of its input, which comes when we end, even by kill -9. Then it stops the
 * server of `cluster` if it still runs, and removes `folder`.
 */
export function leash(cluster: string, folder: string): Leash {
  const script = `cat >/dev/null
pid=$(head -n 1 "$1/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
  kill -INT "$pid"
  while kill -0 "$pid" 2>/dev/null && [ -e "$1/postmaster.pid" ]; do sleep 0.1; done
fi
rm -rf "$2"`;
  const shell = spawn("/bin/sh", ["-c", script, "sh", cluster, folder], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise<void>((resolve, reject) => {
    shell.once("error", reject);
    shell.once("exit", () => resolve());
  });
  ended.catch(() => undefined);
  // Neither the shell nor its pipe may keep our process alive.
  shell.unref();
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
  return {
    release() {
      shell.ref();
      shell.stdin.end();
      return ended;
    },
  };
}
