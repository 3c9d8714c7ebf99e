/** Readable titles of tasks that every harness names alike, by the name in lower case with `-` as `_`. Of a longer name the longest known start counts. */
const TASKS: Readonly<Record<string, string>> = {
  mmlu: "MMLU",
  mmlu_pro: "MMLU-Pro",
  hendryckstest: "MMLU",
  cmmlu: "CMMLU",
  ceval: "C-Eval",
  gsm8k: "GSM8K",
  gsm8k_cot: "GSM8K, chain of thought",
  hendrycks_math: "MATH",
  minerva_math: "MATH",
  math_500: "MATH-500",
  aime24: "AIME 2024",
  aime25: "AIME 2025",
  gpqa: "GPQA",
  gpqa_diamond: "GPQA diamond",
  gpqa_main: "GPQA main",
  arc_challenge: "ARC challenge",
  arc_easy: "ARC easy",
  hellaswag: "HellaSwag",
  winogrande: "WinoGrande",
  piqa: "PIQA",
  siqa: "SIQA",
  boolq: "BoolQ",
  openbookqa: "OpenBookQA",
  commonsense_qa: "CommonsenseQA",
  sciq: "SciQ",
  triviaqa: "TriviaQA",
  nq_open: "Natural Questions",
  squad: "SQuAD",
  squadv2: "SQuAD 2",
  drop: "DROP",
  race: "RACE",
  copa: "COPA",
  logiqa: "LogiQA",
  lambada: "LAMBADA",
  lambada_openai: "LAMBADA (OpenAI)",
  lambada_standard: "LAMBADA (standard)",
  wikitext: "WikiText",
  bbh: "BBH",
  ifeval: "IFEval",
  musr: "MuSR",
  agieval: "AGIEval",
  mgsm: "MGSM",
  xnli: "XNLI",
  xcopa: "XCOPA",
  xwinograd: "XWinograd",
  wsc: "WSC",
  wsc273: "WSC273",
  rte: "RTE",
  wic: "WiC",
  humaneval: "HumanEval",
  humanevalplus: "HumanEval+",
  multiple: "MultiPL-E",
  mbpp: "MBPP",
  mbppplus: "MBPP+",
  ds1000: "DS-1000",
  swe_bench: "SWE-bench",
  livecodebench: "LiveCodeBench",
  truthfulqa: "TruthfulQA",
  truthfulqa_mc: "TruthfulQA",
  truthfulqa_mc1: "TruthfulQA, one right answer",
  truthfulqa_mc2: "TruthfulQA, several right answers",
  truthfulqa_gen: "TruthfulQA, written answers",
  toxigen: "ToxiGen",
  crows_pairs: "CrowS-Pairs",
  bbq: "BBQ",
  winogender: "Winogender",
  wmdp: "WMDP",
  ethics: "ETHICS",
  xstest: "XSTest",
  or_bench: "OR-Bench",
  harmbench: "HarmBench",
  strongreject: "StrongREJECT",
  jailbreakbench: "JailbreakBench",
  advbench: "AdvBench",
  bfcl: "BFCL",
  tau_bench: "τ-bench",
  alpaca_eval: "AlpacaEval",
  arena_hard: "Arena-Hard",
  mt_bench: "MT-bench",
  lmarena: "LMArena",
};

/** Words of a task's name that are no plain words. */
const WORDS: Readonly<Record<string, string>> = { stem: "STEM", us: "US", ai: "AI", qa: "QA" };

const spelt = (task: string): string => task.toLowerCase().replaceAll("-", "_");

/** Title of a task: "MMLU", "MMLU, high school physics"; a name that is not known stays as the source writes it. */
export function taskTitle(task: string): string {
  const name = spelt(task);
  for (let end = name.length; end > 0; end = name.lastIndexOf("_", end - 1)) {
    const title = TASKS[name.slice(0, end)];
    if (title === undefined) continue;
    const rest = name.slice(end + 1);
    return rest === "" ? title : `${title}, ${plain(rest)}`;
  }
  return task;
}

const plain = (words: string): string =>
  words
    .split(/[_\s]+/)
    .filter((word) => word !== "")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
