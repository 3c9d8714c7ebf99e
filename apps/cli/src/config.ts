/** The environment of the commands that do not go through the server's configuration. This file alone reads it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
