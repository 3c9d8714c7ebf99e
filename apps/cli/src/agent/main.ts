import { agent } from "../commands/agent.ts";
import { processIo } from "../frame/process-io.ts";
import { runCli } from "../frame/run-cli.ts";

/** The agent as one file of its own (`node apps/cli/build-agent.mjs`): no server, no database client, nothing else of the command line. */
process.exitCode = await runCli(["agent", ...process.argv.slice(2)], [agent], processIo());
