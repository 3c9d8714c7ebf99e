import { existsSync } from "node:fs";
import { join } from "node:path";

/** Real logs and what is known of them; not part of the repository. */
export const CORPUS_FOLDER = process.env["TRAINWATCH_CORPUS"] ?? join(import.meta.dirname, "../../../shared/data");

export const hasCorpus = existsSync(join(CORPUS_FOLDER, "expected_findings.csv"));
