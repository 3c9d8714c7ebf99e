import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PairwiseJudgements, type Random, bradleyTerry, normalDraw, seededRandom } from "./index.ts";

/** The plain model by the MM algorithm of Hunter 2004: strengths = wins / Σ meetings / (own + other). */
function byMinorization(items: number, wins: readonly (readonly number[])[]): readonly number[] {
  let strengths = Array.from({ length: items }, () => 1);
  for (let round = 0; round < 20_000; round++) {
    const next = strengths.map((own, item) => {
      let [won, met] = [0, 0];
      strengths.forEach((other, opponent) => {
        const [forward, back] = [wins[item]?.[opponent] ?? 0, wins[opponent]?.[item] ?? 0];
        won += forward;
        met += (forward + back) / (own + other);
      });
      return won / met;
    });
    const mean = next.reduce((sum, value) => sum + Math.log(value), 0) / items;
    strengths = next.map((value) => value / Math.exp(mean));
  }
  return strengths.map(Math.log);
}

/** Any logistic likelihood by gradient ascent with a fixed small step, from the definition. */
function byGradient({ items, left, right, preference, covariates = [] }: PairwiseJudgements): readonly number[] {
  const parameters = Array.from({ length: items + covariates.length }, () => 0);
  const n = preference.length;
  for (let round = 0; round < 20_000; round++) {
    const gradient = parameters.map(() => 0);
    for (let row = 0; row < n; row++) {
      const [a, b] = [left[row] ?? 0, right[row] ?? 0];
      let odds = (parameters[a] ?? 0) - (parameters[b] ?? 0);
      covariates.forEach((column, at) => {
        odds += (parameters[items + at] ?? 0) * (column[row] ?? 0);
      });
      const surprise = (preference[row] ?? 0) - 1 / (1 + Math.exp(-odds));
      gradient[a] = (gradient[a] ?? 0) + surprise;
      gradient[b] = (gradient[b] ?? 0) - surprise;
      covariates.forEach((column, at) => {
        gradient[items + at] = (gradient[items + at] ?? 0) + surprise * (column[row] ?? 0);
      });
    }
    gradient.forEach((slope, at) => {
      parameters[at] = (parameters[at] ?? 0) + (2 / n) * slope;
    });
  }
  return parameters;
}

interface League {
  readonly judgements: PairwiseJudgements;
  readonly wins: readonly (readonly number[])[];
}

/** Round robin with ties: each item half a log odds below the one before it; the longer answer gains by `lengthEffect`. */
function drawLeague(items: number, rounds: number, random: Random, lengthEffect = 0): League {
  const [left, right, preference, length]: number[][] = [[], [], [], []];
  const wins = Array.from({ length: items }, () => Array.from({ length: items }, () => 0));
  for (let round = 0; round < rounds; round++) {
    for (let a = 0; a < items; a++) {
      for (let b = a + 1; b < items; b++) {
        const longer = normalDraw(random);
        const chance = 1 / (1 + Math.exp((b - a) / 2 - lengthEffect * longer));
        const share = random() < 0.15 ? 0.5 : Number(random() < chance);
        left?.push(a);
        right?.push(b);
        preference?.push(share);
        length?.push(longer);
        const [forward, back] = [wins[a], wins[b]];
        if (forward !== undefined) forward[b] = (forward[b] ?? 0) + share;
        if (back !== undefined) back[a] = (back[a] ?? 0) + 1 - share;
      }
    }
  }
  return { wins, judgements: { items, left: left ?? [], right: right ?? [], preference: preference ?? [], covariates: [length ?? []] } };
}

const plain = ({ items, left, right, preference }: PairwiseJudgements): PairwiseJudgements => ({ items, left, right, preference });

describe("bradleyTerry", () => {
  it("agrees with the MM algorithm on the plain model with ties, to 1e-6", () => {
    const { judgements, wins } = drawLeague(6, 20, seededRandom(3));
    const fit = bradleyTerry(plain(judgements));
    const other = byMinorization(6, wins);
    expect(fit.converged).toBe(true);
    expect(fit.why).toBeNull();
    other.forEach((rating, item) => expect(fit.ratings[item]).toBeCloseTo(rating, 8));
  });

  it("agrees with gradient ascent on the model with a length covariate, to 1e-6", () => {
    const { judgements } = drawLeague(4, 40, seededRandom(4), 0.8);
    const fit = bradleyTerry(judgements);
    const other = byGradient(judgements);
    [0, 1, 2, 3].forEach((item) => expect(fit.ratings[item]).toBeCloseTo(other[item] ?? Number.NaN, 7));
    expect(fit.effects[0]?.effect).toBeCloseTo(other[4] ?? Number.NaN, 7);
  });

  it("of two items is the log of the odds, its error √(1/won + 1/lost): 30 against 10", () => {
    const preference = Array.from({ length: 40 }, (_, at) => (at < 30 ? 1 : 0));
    const fit = bradleyTerry({ items: 2, left: preference.map(() => 0), right: preference.map(() => 1), preference });
    expect((fit.ratings[0] ?? 0) - (fit.ratings[1] ?? 0)).toBeCloseTo(Math.log(3), 9);
    const variance = (fit.covariance[0]?.[0] ?? 0) + (fit.covariance[1]?.[1] ?? 0) - 2 * (fit.covariance[0]?.[1] ?? 0);
    expect(Math.sqrt(variance)).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 10), 9);
    expect(fit.errors[0]).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 10) / 2, 9);
  });

  it("covers the true difference and the true length effect in about 95 of 100 leagues", () => {
    const random = seededRandom(10);
    let [difference, effect] = [0, 0];
    const draws = 400;
    for (let draw = 0; draw < draws; draw++) {
      // Without the ties of a league, which would flatten the truth.
      const { judgements } = drawLeague(3, 80, random, 0.8);
      const decided = { ...judgements, preference: Array.from(judgements.preference, (share) => (share === 0.5 ? Number.NaN : share)) };
      const fit = bradleyTerry(decided);
      const variance = (fit.covariance[0]?.[0] ?? 0) + (fit.covariance[2]?.[2] ?? 0) - 2 * (fit.covariance[0]?.[2] ?? 0);
      if (Math.abs((fit.ratings[0] ?? 0) - (fit.ratings[2] ?? 0) + 1) < 1.96 * Math.sqrt(variance)) difference++;
      if (Math.abs((fit.effects[0]?.effect ?? 0) - 0.8) < 1.96 * (fit.effects[0]?.error ?? 0)) effect++;
    }
    for (const covered of [difference, effect]) {
      expect(covered / draws).toBeGreaterThan(0.92);
      expect(covered / draws).toBeLessThan(0.98);
    }
  });

  it("weighs a judgement as that many of it, and turns round when left and right are swapped", () => {
    const judgement = fc.record({
      left: fc.nat(3),
      right: fc.nat(3),
      preference: fc.constantFrom(0, 0.5, 1),
      weight: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 8, maxLength: 40 }), (rows) => {
        const columns = (
          of: readonly { readonly left: number; readonly right: number; readonly preference: number }[],
        ): PairwiseJudgements => ({
          items: 4,
          left: of.map(({ left }) => left),
          right: of.map(({ right }) => right),
          preference: of.map(({ preference }) => preference),
        });
        const weighted = bradleyTerry({ ...columns(rows), weights: rows.map(({ weight }) => weight) }, { ridge: 0.1 });
        const repeated = bradleyTerry(columns(rows.flatMap((row) => Array.from({ length: row.weight }, () => row))), { ridge: 0.1 });
        const swapped = bradleyTerry(
          {
            ...columns(rows.map((row) => ({ ...row, left: row.right, right: row.left, preference: 1 - row.preference }))),
            weights: rows.map(({ weight }) => weight),
          },
          { ridge: 0.1 },
        );
        weighted.ratings.forEach((rating, item) => {
          if (Number.isNaN(rating)) expect(repeated.ratings[item]).toBeNaN();
          else {
            expect(repeated.ratings[item]).toBeCloseTo(rating, 7);
            expect(swapped.ratings[item]).toBeCloseTo(rating, 7);
          }
        });
      }),
    );
  });

  it("says that an item which won everything has no finite rating, and rates none of those it separates", () => {
    const fit = bradleyTerry({ items: 3, left: [0, 0, 1, 2], right: [1, 2, 2, 1], preference: [1, 1, 1, 1] });
    expect(fit.unbounded).toEqual([0, 1, 2]);
    expect(fit.why).toContain("no finite rating");
    expect([...fit.ratings].every(Number.isNaN)).toBe(true);
  });

  it("makes it finite by a ridge, and says so", () => {
    const fit = bradleyTerry({ items: 3, left: [0, 0, 1, 2], right: [1, 2, 2, 1], preference: [1, 1, 1, 1] }, { ridge: 0.5 });
    expect(fit.ratings[0]).toBeGreaterThan(0.5);
    expect(fit.why).toContain("only the ridge");
    expect(fit.converged).toBe(true);
  });

  it("says that groups were never compared, and rates within each", () => {
    const fit = bradleyTerry({ items: 5, left: [0, 0, 2, 2, 2], right: [1, 1, 3, 3, 3], preference: [1, 0, 1, 1, 0] });
    expect(fit.components).toEqual([[0, 1], [2, 3], [4]]);
    expect(fit.why).toContain("never compared");
    expect((fit.ratings[2] ?? 0) - (fit.ratings[3] ?? 0)).toBeCloseTo(Math.log(2), 8);
    expect(fit.ratings[4]).toBeNaN();
    expect(fit.errors[4]).toBeNaN();
  });

  it("says that it has not converged, and gives no ratings then", () => {
    const { judgements } = drawLeague(4, 10, seededRandom(5));
    const fit = bradleyTerry(plain(judgements), { maxIterations: 1 });
    expect(fit.converged).toBe(false);
    expect(fit.why).toContain("not converged in 1 iteration");
    expect([...fit.ratings].every(Number.isNaN)).toBe(true);
  });

  it("says that a covariate settles everything, or cannot be told from the ratings", () => {
    const { judgements } = drawLeague(3, 30, seededRandom(6));
    const settled = Array.from(judgements.preference, (share) => share - 0.5);
    const apart = bradleyTerry({ ...judgements, covariates: [settled] });
    expect(apart.converged).toBe(false);
    expect(apart.why).not.toBeNull();
    const alike = bradleyTerry({
      ...judgements,
      covariates: [Array.from(judgements.left, (item, row) => item - (judgements.right[row] ?? 0))],
    });
    expect(alike.why).toContain("cannot be told");
    expect(alike.effects[0]?.effect).toBeNaN();
  });

  it("leaves out what was not judged, and says when nothing was", () => {
    const nothing = bradleyTerry({ items: 2, left: [0], right: [1], preference: [Number.NaN] });
    expect(nothing.why).toBe("Nothing was judged.");
    expect(nothing.n).toBe(0);
    const some = bradleyTerry({ items: 2, left: [0, 0, 0, 1, 0], right: [1, 1, 1, 1, 9], preference: [1, 0, Number.NaN, 1, 1] });
    expect(some.n).toBe(2);
    expect(some.ratings[0]).toBeCloseTo(0, 9);
  });
});
