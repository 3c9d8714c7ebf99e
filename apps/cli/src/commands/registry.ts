import type { CommandEntry } from "../frame/command.ts";
import { doctor } from "./doctor.ts";
import { serve } from "./serve.ts";
import { token } from "./token.ts";

/** Every command, in the order in which `trainwatch --help` lists them. */
export const COMMANDS = [serve, doctor, token] as const satisfies readonly CommandEntry[];
