-- Bands: series of a metric that differ in their rank only, put together step by step, so that a chart of 16,384 ranks reads one series. Their
-- rows are in `samples.block`, with -band_id in place of a series. How: packages/store/src/samples/README.md.
CREATE TABLE "samples"."band" (
    "group_id" integer NOT NULL,
    -- One of the series of the band, the first when it was begun.
    "band_id" integer NOT NULL,
    "attempt_id" integer NOT NULL,
    "metric" text NOT NULL,
    -- Labels of all its series, without `rank`.
    "shared" jsonb NOT NULL,
    -- Holds the series up to this id, and all of them at 2147483647.
    "through" integer NOT NULL,
    CONSTRAINT "band_pkey" PRIMARY KEY ("group_id", "band_id", "attempt_id")
);
