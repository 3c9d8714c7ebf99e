/** A rule of `=` as wide as the ones these logs draw under the script; docstrings underline with shorter ones. */
const RULE = /^={60,}\s*$/;
/** First statements of a Python script; no line of a log looks like them. */
const PYTHON_START = /^(?:import [A-Za-z_][\w.]*|from [A-Za-z_.][\w.]* import\b|"""|'''|#!.*python|with open\(sys\.argv\[0\]\))/;
const TRIPLE_QUOTE = /"""|'''/g;

export interface ScriptHead {
  /**
   * True while the line belongs to a training script copied into the log. `isData` says whether it reads as a data line:
   * one outside comments and docstrings ends the script even when the rule under it is missing.
   */
  skip(text: string, isData: boolean): boolean;
}

/** Tells the training script, which such logs begin with (and repeat at each launch), from the log. */
export function scriptHead(): ScriptHead {
  let inScript = false;
  let quote: string | undefined;
  return {
    skip(text, isData) {
      if (!inScript) {
        inScript = PYTHON_START.test(text);
        if (!inScript) return false;
        quote = undefined;
      } else if (RULE.test(text) || (isData && quote === undefined)) {
        inScript = false;
        return false;
      }
      for (const [mark] of text.matchAll(TRIPLE_QUOTE)) {
        if (quote === undefined) quote = mark;
        else if (quote === mark) quote = undefined;
      }
      return true;
    },
  };
}

/** True when a head begins as a Python script. */
export function beginsAsPython(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#") && !RULE.test(line));
  return first !== undefined && PYTHON_START.test(first);
}
