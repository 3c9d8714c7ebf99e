import { releaseCsv, releaseMarkdown } from "@trainwatch/decide";
import { z } from "zod";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { releaseDetail } from "./release-detail.ts";
import { releaseInput } from "./schemas.ts";

const exportInput = releaseInput.extend({ form: z.enum(["markdown", "json", "csv"]) });

export interface ReleaseExport {
  readonly name: string;
  readonly mediaType: string;
  readonly body: string;
}

/** The release as a file, by the results that hold now: Markdown for people, CSV a line a cell, JSON as `get` answers. */
export const exportRelease = readVerb.input(exportInput).query(async ({ ctx, input: { releaseId, form } }): Promise<ReleaseExport> => {
  const detail = await releaseDetail(ctx, required(await ctx.store.records.releases.get(releaseId), "release", releaseId));
  const stem = `release-${releaseId}`;
  if (form === "markdown") return { name: `${stem}.md`, mediaType: "text/markdown", body: releaseMarkdown(detail) };
  if (form === "csv") return { name: `${stem}.csv`, mediaType: "text/csv", body: releaseCsv(detail.comparison) };
  return { name: `${stem}.json`, mediaType: "application/json", body: JSON.stringify(detail, null, 2) };
});
