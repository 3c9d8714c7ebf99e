import type { Config, RunningServer } from "@trainwatch/server";

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
