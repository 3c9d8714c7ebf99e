import { endsWithin, type Config, type RunningServer } from "@trainwatch/server";
import type { ExitCode } from "./frame/command.ts";
import type { CommandIo } from "./frame/io.ts";
import { untilStopped } from "./frame/until-stopped.ts";

/** What feeds the server may wait for it; it is cut off with the server's last connections. */
const WRAP_UP_MS = 5_000;

/**
 * Keeps a server until the process is asked to end, and tells a person what then happens: the database needs a moment, and a second
 * Ctrl+C in that moment would cut it short.
 * @param wrapUp what is to end before the server does; must not fail
 * @returns 1 where something did not end in its time: it is named
 */
export async function keepRunning(
  server: RunningServer,
  io: CommandIo,
  { json, wrapUp = () => Promise.resolve() }: { readonly json: boolean; readonly wrapUp?: () => Promise<void> },
): Promise<ExitCode> {
  const say = (text: string): void => (json ? undefined : io.out(text));
  await untilStopped(io.stop);
  // The terminal has written ^C where the cursor was.
  say(
    `${io.terminal ? "\n" : ""}Stopping: requests are answered, workers finish, the database shuts down. A second Ctrl+C ends at once.\n`,
  );
  await endsWithin(WRAP_UP_MS, wrapUp);
  const left = await server.close();
  for (const what of left) io.err(`trainwatch: ${what}.\n`);
  if (left.length > 0) io.err("trainwatch: All that was acknowledged is stored; what was not is to be sent again.\n");
  say(left.length === 0 ? "Stopped.\n" : "Stopped, not in order.\n");
  return left.length === 0 ? 0 : 1;
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
