import type { LogFormat, ParseOptions } from "@trainwatch/formats";

/** How logs are read, as the user says it. */
export interface ReadSettings {
  readonly parse: ParseOptions;
  /** What the logs are; null where content tells. */
  readonly format: LogFormat | null;
}
