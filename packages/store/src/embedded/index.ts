export { type EmbeddedEvent, type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from "./start.ts";
export { runningEmbeddedUrl } from "./running.ts";
