export { administer, type Verbs } from "./administer.ts";
export { readConfig, type Config } from "./config.ts";
export { ROLES, type Role } from "./configuration/schema.ts";
export { diagnose } from "./doctor/diagnose.ts";
export type { Diagnosis } from "./doctor/diagnosis.ts";
export { CLIENT_HEADER } from "./http/same-origin.ts";
export { serverUrl } from "./server-record.ts";
export { start, type RunningServer, type StartOptions } from "./start.ts";
export { VERSION } from "./version.ts";
