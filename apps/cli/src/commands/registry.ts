import type { CommandEntry } from "../frame/command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { importLogs } from "./import.ts";
import { inspect } from "./inspect.ts";
import { serve } from "./serve.ts";
import { simulate } from "./simulate.ts";
import { token } from "./token.ts";

/** Every command, in the order in which `trainwatch --help` lists them. */
export const COMMANDS = [serve, demo, importLogs, inspect, simulate, doctor, token] as const satisfies readonly CommandEntry[];
