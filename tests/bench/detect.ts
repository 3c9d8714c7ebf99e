// `npm run bench -- detect`: what the detectors find, what they say on healthy data, how soon, and at what cost. Without the corpus only the simulated parts run.
import { hasCorpus } from "../corpora/corpus-folder.ts";
import { bootstrapNulls } from "./detect/bootstrap.ts";
import { judgeCorpus } from "./detect/corpus-verdicts.ts";
import { detectorCost } from "./detect/cost.ts";
import { injectInto, GOALS, meetsGoals } from "./detect/injection.ts";
import { simulatedNulls, nullsHold } from "./detect/nulls.ts";
import { printTable } from "./detect/table.ts";

async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const nulls = simulatedNulls();
  printTable("Simulated nulls: loss-shift alarms", nulls);
  const cost = detectorCost();
  printTable("CPU time a sample", cost);
  if (!hasCorpus) return { ok: nullsHold(nulls), corpus: "skipped: no TRAINWATCH_CORPUS and no ../shared/data", nulls, cost };

  const blocks = bootstrapNulls();
  printTable("Block bootstrap of healthy calibration logs: loss-shift alarms", blocks);
  const corpus = judgeCorpus();
  printTable(
    "Expected rows",
    corpus.rows.map(({ set, file, class: kind, step, met, onsetError, text }) => ({
      set,
      file,
      class: kind,
      step,
      met,
      "onset error": onsetError,
      text: text.slice(0, 90),
    })),
  );
  printTable("Files: what they say", corpus.files);
  printTable("Healthy points", corpus.healthy);
  const injection = [injectInto("calibration"), injectInto("judged")].flat();
  printTable("Injected into healthy logs (delay in logged points)", injection);
  const unmet = corpus.rows.filter((row) => !row.met);
  const falseAlarms = corpus.healthy.reduce((sum, { alarms }) => sum + alarms, 0);
  const ok = nullsHold(nulls) && unmet.length === 0 && falseAlarms === 0 && meetsGoals(injection);
  return { ok, goals: GOALS, unmet, healthy: corpus.healthy, injection, nulls, blocks, cost, rows: corpus.rows, files: corpus.files };
}

export default { name: "detect", run };
