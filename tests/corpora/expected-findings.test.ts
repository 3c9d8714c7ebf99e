import { describe, expect, it } from "vitest";
import { hasCorpus } from "./corpus-folder.ts";
import { expectedRows, isCalibrationFile } from "./expected-rows.ts";
import { detectAll, judgeRow } from "./judge-findings.ts";
import { readAttempts } from "./read-attempts.ts";

describe.skipIf(!hasCorpus)(
  "expected_findings.csv, through the parsers and the detectors (skipped without TRAINWATCH_CORPUS or ../shared/data)",
  () => {
    const rows = hasCorpus ? expectedRows() : [];
    const files = [...new Set(rows.map((row) => row.file))];

    it.each(files)("%s: every row is met", (file) => {
      const log = readAttempts(file);
      expect(log.refusal).toBeNull();
      const attempts = detectAll(log);
      const unmet = rows
        .filter((row) => row.file === file)
        .map((row) => judgeRow(row, log, attempts))
        .filter((verdict) => !verdict.met);
      expect(unmet).toEqual([]);
    });

    it("holds files on both sides of the calibration split", () => {
      const calibration = files.filter(isCalibrationFile).length;
      expect(calibration).toBeGreaterThan(5);
      expect(files.length - calibration).toBeGreaterThan(5);
    });
  },
);
