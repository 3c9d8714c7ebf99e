// Ranks are replaced by groups of checkpoints that are not told apart. How often that is right, over simulated checkpoints on the same prompts
// (detection.md F.2), and what it costs a row of a release page. Figures depend on the seed only, times on the machine.
import { meansAndCovariance, newDrawTable, normalDraw, seededRandom, tieGroups, wilsonInterval } from "@trainwatch/stats";
import { newCheckpointSource } from "@trainwatch/stats/testing";

const DRAWS = 1_000;
const CHECKPOINTS = 20;
const PROMPTS = 2_000;
const ACCURACY = 0.6;
const LEVEL = 0.95;
/** Of the pass or fail scores of two checkpoints on one prompt. */
const CORRELATION = 0.6;

const ROWS = 2_000;
const MOST_MS_PER_ROW = 0.3;

interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** How often all checkpoints stand in one group, and how often the last stands in no group with the best, if it is `worse` than the others. */
function shares(worse: number, correlation: number, seed: number): { readonly oneGroup: Share; readonly lastOutside: Share } {
  const random = seededRandom(seed);
  const table = newDrawTable(seed);
  const accuracies = Array.from({ length: CHECKPOINTS }, (_, at) => (at === CHECKPOINTS - 1 ? ACCURACY - worse : ACCURACY));
  const draw = newCheckpointSource({ prompts: PROMPTS, accuracies, correlation });
  let oneGroup = 0;
  let lastOutside = 0;
  for (let run = 0; run < DRAWS; run++) {
    const columns = draw(random);
    const { groups, order } = tieGroups({ ...meansAndCovariance(columns), level: LEVEL, seed, degrees: PROMPTS - 1, table });
    const best = order[0] ?? -1;
    if (groups.length === 1) oneGroup++;
    if (!groups.some((group) => group.includes(best) && group.includes(CHECKPOINTS - 1))) lastOutside++;
  }
  return { oneGroup: shareOf(oneGroup), lastOutside: shareOf(lastOutside) };
}

function shareOf(hits: number): Share {
  return { share: hits / DRAWS, ...wilsonInterval(hits, DRAWS) };
}

/** Mean time of a row of `columns` checkpoints whose true accuracies have the standard deviation `spread`. */
function msPerRow(columns: number, spread: number): number {
  const random = seededRandom(columns);
  const rows = Array.from({ length: ROWS / 10 }, () => {
    const accuracies = Array.from({ length: columns }, () => ACCURACY + spread * normalDraw(random));
    return meansAndCovariance(newCheckpointSource({ prompts: 1_000, accuracies, correlation: CORRELATION })(random));
  });
  const table = newDrawTable(1);
  const started = performance.now();
  for (let row = 0; row < ROWS; row++) {
    const input = rows[row % rows.length];
    if (input !== undefined) tieGroups({ ...input, level: LEVEL, seed: 1, degrees: 999, table });
  }
  return Number(((performance.now() - started) / ROWS).toFixed(3));
}

async function run() {
  const alike = shares(0, CORRELATION, 11);
  const apart = shares(0.03, CORRELATION, 12);
  const looser = shares(0.03, 0.4, 13);
  const spreads = [0, 0.005, 0.01, 0.02, 0.04];
  const ms12 = spreads.map((spread) => ({ spread, ms: msPerRow(12, spread) }));
  const ms20 = spreads.map((spread) => ({ spread, ms: msPerRow(20, spread) }));
  const meanMs = ms12.reduce((sum, { ms }) => sum + ms, 0) / ms12.length;
  return {
    ok: alike.oneGroup.share >= 0.95 && apart.lastOutside.share >= 0.8 && meanMs < MOST_MS_PER_ROW,
    settings: { draws: DRAWS, checkpoints: CHECKPOINTS, prompts: PROMPTS, accuracy: ACCURACY, correlation: CORRELATION, level: LEVEL },
    identicalInOneGroup: alike.oneGroup,
    threePointsWorseOutside: apart.lastOutside,
    threePointsWorseOutsideAtCorrelation04: looser.lastOutside,
    twelveColumns: ms12,
    twelveColumnsMeanMs: Number(meanMs.toFixed(3)),
    twentyColumns: ms20,
  };
}

export default { name: "tie-groups", run };
