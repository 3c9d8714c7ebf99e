export { migrate } from "./migrate.ts";
export { migrationState, type MigrationState } from "./pending.ts";
