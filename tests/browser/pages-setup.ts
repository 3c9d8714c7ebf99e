import type { TestProject } from "vitest/node";
import { builtPages } from "./built-pages.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The pages of the working tree, built once a test run. */
    readonly webRoot: string;
  }
}

/** Vitest global set-up: the pages for all browser tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pages = await builtPages();
  project.provide("webRoot", pages.webRoot);
  return async () => await pages[Symbol.asyncDispose]();
}
