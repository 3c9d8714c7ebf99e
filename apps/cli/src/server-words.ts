import type { Config, RunningServer } from "@trainwatch/server";
import type { CommandIo } from "./frame/io.ts";
import { untilStopped } from "./frame/until-stopped.ts";

/**
 * Keeps a server until the process is asked to end, and tells a person what then happens: the database needs a moment, and a second
 * Ctrl+C in that moment would cut it short.
 * @param wrapUp what is to end before the server does
 */
export async function keepRunning(
  server: RunningServer,
  io: CommandIo,
  { json, wrapUp = () => Promise.resolve() }: { readonly json: boolean; readonly wrapUp?: () => Promise<void> },
): Promise<void> {
  const say = (text: string): void => (json ? undefined : io.out(text));
  await untilStopped(io.stop);
  // The terminal has written ^C where the cursor was.
  say(`${io.terminal ? "\n" : ""}Stopping: requests are answered, workers finish, the database shuts down …\n`);
  await wrapUp();
  await server.close();
  say("Stopped.\n");
}

/** What a person wants to read when a server has come up. */
export function announceServer(server: RunningServer, config: Config): string {
  const lines = server.url === null ? [`Trainwatch runs the roles ${config.roles.join(", ")}.`] : [`Trainwatch is at ${server.url}`];
  if (server.adminToken !== null) {
    lines.push(
      `First token, shown this once: ${server.adminToken}`,
      "On this machine the page opens signed in; other programs send it as `Authorization: Bearer …`.",
    );
  }
  if (server.url !== null && !server.hasWeb)
    lines.push("The dashboard is not built: run `npm run setup` in the repository, then start again.");
  lines.push("Ctrl+C ends it.");
  return `${lines.join("\n")}\n`;
}
