import { agent } from "../commands/agent.ts";
import { processIo } from "../frame/process-io.ts";
import { runProcess } from "../frame/run-process.ts";

/** The agent as one file of its own (`node apps/cli/build-agent.mjs`): no server, no database client, nothing else of the command line. */
await runProcess(["agent", ...process.argv.slice(2)], [agent], processIo());
