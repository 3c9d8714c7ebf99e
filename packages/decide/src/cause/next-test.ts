import { CAUSE_WORDS, sayGpu, sayInteger, sayShare } from "@trainwatch/core";
import type { Cause, CauseAssessment, CauseFactName, RankedCause } from "@trainwatch/core";
import { agreementRatio } from "./agreement.ts";
import type { CauseInput } from "./contract.ts";
import type { Trouble } from "./trouble.ts";

/** One thing that a test may show, and how likely each cause makes it; `other` of those not named. */
interface Outcome {
  readonly says: string;
  readonly chance: Readonly<Partial<Record<Cause, number>>>;
  readonly other: number;
}

interface CauseTest {
  readonly test: (whom: string | null, step: number | null) => string;
  readonly troubles: readonly Trouble[];
  /** Facts that it would bring: with one of them known it has been done. */
  readonly brings: readonly CauseFactName[];
  /** Needs somebody to be tested. */
  readonly needsSuspect: boolean;
  /** What it takes, in shares of the harm of acting on the wrong cause. Ours: minutes of a person 0.01, of a few nodes 0.03, a node drained 0.08 and more. */
  readonly cost: number;
  readonly outcomes: (input: CauseInput) => readonly Outcome[];
}

/** The two outcomes of a yes-or-no test. */
const yesNo = (yes: string, no: string, chance: Outcome["chance"], other: number): readonly Outcome[] => [
  { says: yes, chance, other },
  { says: no, chance: Object.fromEntries(Object.entries(chance).map(([cause, share]) => [cause, 1 - share])), other: 1 - other },
];

/** Runs that a re-run on a suspect should have: fewer say little (detection.md B.6). */
const RERUNS = 50;

/** What could be tried next. Chances are ours where no source is named. */
const TESTS: readonly CauseTest[] = [
  {
    test: (_, step) =>
      `Replay ${step === null ? "the recorded step" : `the recorded step ${sayInteger(step)}`} on other nodes and compare bit for bit`,
    troubles: ["learning"],
    brings: ["replay-elsewhere-agreed", "replay-elsewhere-disagreed"],
    needsSuspect: false,
    cost: 0.03,
    // SDCHunter names the device in 91 % of injected faults (B.1).
    outcomes: () => yesNo("it disagrees", "it agrees", { hardware: 0.91 }, 0.01),
  },
  {
    test: (whom) => `Re-run the same step on ${whom ?? "the suspect"}, at least ${RERUNS} times`,
    troubles: ["learning"],
    brings: ["rerun-disagreed"],
    needsSuspect: true,
    cost: 0.1,
    outcomes: (input) => {
      const done = input.replays.filter(({ kind }) => kind === "device-again").reduce((sum, { runs }) => sum + runs, 0);
      const agrees = agreementRatio(done + RERUNS) / agreementRatio(done);
      return yesNo("one run disagrees", "all agree", { hardware: 1 - agrees }, 0.001);
    },
  },
  {
    test: () => "Look for the batch in other runs and epochs: has it spiked there",
    troubles: ["learning"],
    brings: ["batch-spiked-elsewhere"],
    needsSuspect: false,
    cost: 0.01,
    outcomes: () => yesNo("it has", "it has not", { data: 0.6 }, 0.05),
  },
  {
    test: () => "Compare the learning rate with its schedule, and the sampler's state before and after the resume",
    troubles: ["learning"],
    brings: ["learning-rate-off"],
    needsSuspect: false,
    cost: 0.01,
    outcomes: () => yesNo("they differ", "they do not", { software: 0.6 }, 0.02),
  },
  {
    test: () => "Collect the flight-recorder dumps of all ranks",
    troubles: ["stopped"],
    brings: ["ranks-behind"],
    needsSuspect: false,
    cost: 0.01,
    outcomes: () => [
      {
        says: "one rank never came to the collective",
        chance: { hardware: 0.7, network: 0.2, software: 0.3, "data-loading": 0.6 },
        other: 0.3,
      },
      { says: "all came and none finished", chance: { hardware: 0.25, network: 0.75, software: 0.1, "data-loading": 0.05 }, other: 0.3 },
      {
        says: "ranks called different collectives",
        chance: { hardware: 0.05, network: 0.05, software: 0.6, "data-loading": 0.35 },
        other: 0.4,
      },
    ],
  },
  {
    test: () => "Log compute, communication and data time of each rank, and compare them by operation",
    troubles: ["slow"],
    brings: ["rank-compute-slow", "node-compute-slow", "last-stage-slow", "sequence-load-correlates", "transfer-slow", "data-wait"],
    needsSuspect: false,
    cost: 0.02,
    outcomes: () => [
      { says: "one rank or node computes longer", chance: { hardware: 0.85, "sequence-length": 0.03 }, other: 0.01 },
      { says: "the last stage does", chance: { "last-stage": 0.9 }, other: 0.02 },
      { says: "it follows the sequence lengths", chance: { "sequence-length": 0.8 }, other: 0.03 },
      { says: "transfers take longer", chance: { network: 0.9 }, other: 0.05 },
      { says: "ranks wait for data", chance: { "data-loading": 0.9 }, other: 0.03 },
      {
        says: "none of them stands out",
        chance: { software: 0.85, hardware: 0.13, "last-stage": 0.06, "sequence-length": 0.05, network: 0.05, "data-loading": 0.06 },
        other: 0.1,
      },
    ],
  },
  {
    test: (whom) => `See whether it comes back on ${whom ?? "the GPU"} with another job`,
    troubles: ["device"],
    brings: [],
    needsSuspect: false,
    cost: 0.02,
    // "If it repeats on this GPU with other jobs, suspect the GPU" (NVIDIA's XID catalogue).
    outcomes: () => yesNo("it does", "it does not", { hardware: 0.8, network: 0.6 }, 0.05),
  },
  {
    test: (whom) => `Run nccl-tests between ${whom === null ? "the nodes" : `the ends of ${whom}`} and others`,
    troubles: ["stopped", "slow", "device"],
    brings: [],
    needsSuspect: false,
    cost: 0.08,
    outcomes: () => yesNo("bandwidth is low or it stands", "it is as it should be", { network: 0.85, hardware: 0.1 }, 0.03),
  },
  {
    test: (whom) => `Swap ${whom ?? "the node"} for a spare and see whether it comes back`,
    troubles: ["stopped", "slow"],
    brings: [],
    needsSuspect: true,
    cost: 0.1,
    outcomes: () => yesNo("it is gone", "it comes back", { hardware: 0.95, network: 0.5 }, 0.1),
  },
  {
    test: (whom) => `Drain ${whom ?? "the node"} and run the vendor's diagnostics (dcgmi diag -r 3, fieldiag)`,
    troubles: ["learning", "stopped", "device"],
    brings: ["rerun-disagreed"],
    needsSuspect: true,
    cost: 0.15,
    // Recall 25 to 70 % (B.2): a pass says little.
    outcomes: () => yesNo("they fail", "they pass", { hardware: 0.5 }, 0.01),
  },
];

/** What a nat of information is worth where no outcome changes the likeliest cause: to be surer is worth something by itself. Ours. */
const WORTH_OF_NAT = 0.1;
/** Hardware that is this likely needs a name before it needs anything else. */
const NEEDS_NAME = 0.7;

export interface TestQuestion {
  readonly trouble: Trouble;
  /** Most likely first. */
  readonly causes: readonly RankedCause[];
  readonly input: CauseInput;
}

/**
 * The test with the highest value of information less its cost: how much likelier the likeliest cause is after the test than now, over its outcomes (expected value of
 * sample information; detection.md E.7's EVPI is its bound), and a little for information that changes no decision. Null where no test is worth its cost.
 * Where hardware is the cause and nobody can say which, the test is the one that names it.
 */
export function nextTest({ trouble, causes, input }: TestQuestion): CauseAssessment["nextTest"] {
  const shares = new Map<Cause, number>();
  for (const { cause, share } of causes) shares.set(cause, (shares.get(cause) ?? 0) + share);
  const suspect = causes.find(({ cause, subjectId }) => (cause === "hardware" || cause === "network") && subjectId !== null) ?? null;
  const whom =
    suspect?.subjectId === undefined || suspect.subjectId === null
      ? null
      : `${suspect.subjectKind === "gpu" ? "" : `${suspect.subjectKind ?? ""} `}${sayGpu(suspect.subjectId)}`;
  const known = new Set([
    ...input.findings.flatMap(({ facts }) => facts.map(({ fact }) => fact)),
    ...input.facts.map(({ fact }) => fact),
    ...done(input),
  ]);
  const step = input.findings.find(({ onsetStep }) => onsetStep !== null)?.onsetStep ?? null;
  const naming = namingTest(trouble, causes, shares.get("hardware") ?? 0, whom);
  if (naming !== null) return naming;
  const now = valueOf(shares);
  const candidates = TESTS.filter(
    (test) => test.troubles.includes(trouble) && !test.brings.some((fact) => known.has(fact)) && (!test.needsSuspect || suspect !== null),
  ).map((test) => {
    const outcomes = test.outcomes(input).map((outcome) => after(shares, outcome));
    const gain = outcomes.reduce((sum, { chance, shares: then }) => sum + chance * valueOf(then), 0) - now;
    const nats = entropy(shares) - outcomes.reduce((sum, { chance, shares: then }) => sum + chance * entropy(then), 0);
    const worth = gain + WORTH_OF_NAT * nats - test.cost;
    return { test, outcomes, worth };
  });
  const best = candidates.reduce<(typeof candidates)[number] | null>(
    (top, item) => (item.worth > 0 && (top === null || item.worth > top.worth) ? item : top),
    null,
  );
  return best === null ? null : { test: best.test.test(whom, step), why: best.outcomes.map(sayOutcome).join("; ") };
}

function done({ replays }: CauseInput): readonly CauseFactName[] {
  return replays.map(({ kind, outcome }): CauseFactName =>
    kind === "step-elsewhere" ? `replay-elsewhere-${outcome}` : `rerun-${outcome}`,
  );
}

function namingTest(trouble: Trouble, causes: readonly RankedCause[], hardware: number, whom: string | null): CauseAssessment["nextTest"] {
  const [first] = causes;
  if (hardware < NEEDS_NAME || first === undefined || (first.cause === "hardware" && first.subjectId !== null && first.share >= NEEDS_NAME))
    return null;
  const why = `hardware is the cause at ${sayShare(hardware)}, and which device is not known`;
  if (trouble === "learning")
    return {
      test: "Replay the step in groups of nodes, first by rows and then by columns: the two that disagree cross in the bad one",
      why,
    };
  return whom === null ? null : { test: `Swap ${whom} for a spare and see whether it comes back`, why };
}

/** Share of the cause that would be acted on. */
function valueOf(shares: ReadonlyMap<Cause, number>): number {
  return Math.max(...shares.values());
}

/** Nats. */
function entropy(shares: ReadonlyMap<Cause, number>): number {
  return [...shares.values()].reduce((sum, share) => (share > 0 ? sum - share * Math.log(share) : sum), 0);
}

interface After {
  readonly says: string;
  readonly chance: number;
  readonly shares: ReadonlyMap<Cause, number>;
}

function after(shares: ReadonlyMap<Cause, number>, { says, chance, other }: Outcome): After {
  const joint = [...shares].map(([cause, share]) => [cause, share * (chance[cause] ?? other)] as const);
  const total = joint.reduce((sum, [, share]) => sum + share, 0);
  return { says, chance: total, shares: new Map(joint.map(([cause, share]) => [cause, total === 0 ? 0 : share / total])) };
}

function sayOutcome({ says, shares }: After): string {
  const [cause, share] = [...shares].reduce((best, item) => (item[1] > best[1] ? item : best), ["data", -1] as readonly [Cause, number]);
  return `if ${says}: ${CAUSE_WORDS[cause]} ${sayShare(share)}`;
}
