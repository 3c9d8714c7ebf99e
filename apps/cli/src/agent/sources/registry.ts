import { assignments } from "./assignments.ts";
import { checkpoints } from "./checkpoints.ts";
import { defineSource } from "./define-source.ts";
import type { SourceKind } from "./define-source.ts";
import { exec } from "./exec.ts";
import { file } from "./file.ts";
import { infiniband } from "./infiniband.ts";
import { kmsg } from "./kmsg.ts";
import { scrape } from "./scrape.ts";
import { trainer } from "./trainer.ts";

/** Every kind of source. */
export const SOURCE_KINDS = [
  defineSource(scrape),
  defineSource(kmsg),
  defineSource(file),
  defineSource(exec),
  defineSource(infiniband),
  defineSource(trainer),
  defineSource(checkpoints),
  defineSource(assignments),
] as const satisfies readonly SourceKind[];
