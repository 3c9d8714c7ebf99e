import type { CoverageState } from "@trainwatch/core";

/** How well each signal is seen on each node of a layout: states by signal, in the order of nodes. */
export type CoverageColumns = readonly (readonly CoverageState[])[];
