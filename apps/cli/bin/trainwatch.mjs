#!/usr/bin/env node
// The sources are TypeScript and are run as they are: no build stands between a checkout and its first run.
import { register } from "tsx/esm/api";

register();
const { main } = await import("../src/main.ts");
await main(process.argv.slice(2));
