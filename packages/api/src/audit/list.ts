import { textSchema } from "@trainwatch/core";
import type { AuditPage } from "@trainwatch/core";
import { z } from "zod";
import { pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

const listAuditInput = z
  .object({
    /** One thing, such as `incident:12`; null for everything. */
    target: textSchema.max(128).nullable().default(null),
    ...pageInput,
  })
  .prefault({});

/** Who did what to what, newest first. */
export const listAudit = readVerb.input(listAuditInput).query(({ ctx, input }): Promise<AuditPage> => ctx.store.records.audit.list(input));
