import fc from "fast-check";

/** The same cases on every run, so that a red test is red again; TRAINWATCH_SEED=n tries others. */
const seed = Number(process.env["TRAINWATCH_SEED"] ?? 20_261_129);

fc.configureGlobal({ seed });
