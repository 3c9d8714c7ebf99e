import { inspect } from "./apps/cli/src/commands/inspect.ts";
import { runCli } from "./apps/cli/src/frame/run-cli.ts";
import { createTestIo } from "./apps/cli/src/frame/test-io.fixture.ts";
const io = createTestIo();
const code = await runCli(["inspect", ...process.argv.slice(2)], [inspect], io);
console.log(io.written.out, io.written.err, "rc", code);
