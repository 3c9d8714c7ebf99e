export { type EmbeddedEvent, type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from "./start.ts";
export { hasEmbeddedDatabase, runningEmbeddedUrl } from "./running.ts";
