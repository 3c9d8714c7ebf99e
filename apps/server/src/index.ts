export { readConfig, type Config } from "./config.ts";
export { ROLES, type Role } from "./configuration/schema.ts";
export { start, type RunningServer, type StartOptions } from "./start.ts";
export { VERSION } from "./version.ts";
