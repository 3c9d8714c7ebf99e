import type { Reporter, TestCase, TestModule } from "vitest/node";

interface Tally {
  passed: number;
  failed: number;
  readonly skipped: string[];
}

function count(tally: Tally, test: TestCase): void {
  const { state } = test.result();
  if (state === "passed") tally.passed++;
  else if (state === "failed") tally.failed++;
  else tally.skipped.push(`${test.module.relativeModuleId} > ${test.fullName}`);
}

/**
 * Ends the output with `N passed, N failed, N skipped`, names what was skipped, and with CI=true makes a skip a failure:
 * a test that did not run proves nothing. A file that did not load and an error outside tests count as one failure each.
 */
export class ClosingLineReporter implements Reporter {
  readonly #ci: boolean;
  readonly #print: (line: string) => void;

  constructor(options: { ci: boolean; print: (line: string) => void }) {
    this.#ci = options.ci;
    this.#print = options.print;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tally: Tally = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      for (const test of module.children.allTests()) count(tally, test);
      if (module.errors().length > 0) tally.failed++;
    }
    for (const name of tally.skipped) this.#print(`skipped: ${name}`);
    if (this.#ci && tally.skipped.length > 0) {
      this.#print("CI=true: a skipped test is a failure; install what the skipped tests name, or remove them.");
      process.exitCode = 1;
      tally.failed += tally.skipped.length;
      tally.skipped.length = 0;
    }
    if (tally.passed === 0) process.exitCode = 1;
    this.#print(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`);
  }
}
