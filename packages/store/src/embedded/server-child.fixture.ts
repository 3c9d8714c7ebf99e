import { startEmbeddedPostgres } from "./start.ts";

// Started by tests as a process of its own: prints where it is, then stays until its input ends, and stops the server then.
const [dataDir = "", cacheDir = "", throwAway = ""] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ dataDir, ...(cacheDir === "" ? {} : { cacheDir }), throwAway: throwAway === "throw-away" });
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid() })}\n`);
process.stdin.resume();
process.stdin.once("end", () => void postgres.stop());
