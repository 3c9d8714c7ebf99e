// A process of its own for the server under test: what it costs must not be mixed with what the bench costs.
import { readConfig, start } from "@trainwatch/server";

/** Flags of the server, and where the pages lie; null: none are served. */
export interface ServerOrder {
  readonly flags: Readonly<Record<string, string>>;
  readonly webRoot: string | null;
}

function orderFrom(text: string | undefined): ServerOrder {
  if (text === undefined) throw new Error("the server process needs its order as its only argument");
  return JSON.parse(text);
}

const { flags, webRoot } = orderFrom(process.argv[2]);
const running = await start(readConfig(flags, {}), webRoot === null ? {} : { webRoot });
process.send?.(running.url);
// The bench lets go of us: in order, or because it died.
process.once("disconnect", () => {
  void running.close().then(() => process.exit(0));
});
