-- Samples, in a schema of their own that Prisma does not see. How they are laid out and read: packages/store/src/samples/README.md.
--
-- Every key and every query on the hot path begins with `group_id` (the run), so that these tables can be distributed by it. For the
-- same reason there are no foreign keys from here, no triggers and no sequences.
-- (Prisma's adapter cuts a script at each semicolon: none may stand in a comment.)
CREATE SCHEMA "samples";

-- One row a run: the lock that its writers take, and its counters.
CREATE TABLE "samples"."run_group" (
    "group_id" integer NOT NULL,
    -- Numbers the rows of `block` in the order in which they were written.
    "next_row" bigint NOT NULL DEFAULT 1,
    -- Rows written since the maintenance last packed this run.
    "fresh" integer NOT NULL DEFAULT 0,
    CONSTRAINT "run_group_pkey" PRIMARY KEY ("group_id")
);
CREATE INDEX "run_group_fresh_idx" ON "samples"."run_group" ("fresh") WHERE "fresh" > 0;

-- One row a series and attempt: what is known of its points without reading one.
CREATE TABLE "samples"."head" (
    "group_id" integer NOT NULL,
    "series_id" integer NOT NULL,
    "attempt_id" integer NOT NULL,
    "points" double precision NOT NULL,
    -- Points that a far step keeps out of the marks below.
    "far_points" double precision NOT NULL,
    -- Points without a time.
    "untimed_points" double precision NOT NULL,
    -- Lowest and highest step, null while all points are far ones.
    "first_step" double precision,
    "last_step" double precision,
    -- Earliest and latest time, epoch ms, null where no point has one.
    "first_time_ms" double precision,
    "last_time_ms" double precision,
    CONSTRAINT "head_pkey" PRIMARY KEY ("group_id", "series_id", "attempt_id")
);

-- Packed points (`level` 0) and summaries of cells of 2^level steps, many a row.
CREATE TABLE "samples"."block" (
    "group_id" integer NOT NULL,
    "series_id" integer NOT NULL,
    "attempt_id" integer NOT NULL,
    -- The coarser level that holds what this row says as well, 127 while there is none.
    "up" smallint NOT NULL,
    "level" smallint NOT NULL,
    "lo_step" double precision NOT NULL,
    "hi_step" double precision NOT NULL,
    "row_no" bigint NOT NULL,
    -- Lowest and highest arrival (push number within the run) of the points.
    "lo_arrival" double precision NOT NULL,
    "hi_arrival" double precision NOT NULL,
    "lo_time_ms" double precision,
    "hi_time_ms" double precision,
    -- Points or cells in the row.
    "size" integer NOT NULL,
    -- Points on far steps keep to rows of their own: they would stretch the step range of others over everything.
    "far" boolean NOT NULL,
    "data" bytea NOT NULL,
    CONSTRAINT "block_pkey" PRIMARY KEY ("group_id", "series_id", "attempt_id", "up", "lo_step", "hi_step", "level", "row_no")
);
-- The data is packed already: compressing it again costs more than it saves.
ALTER TABLE "samples"."block" ALTER COLUMN "data" SET STORAGE EXTERNAL;
-- Reading in the order of arrival.
CREATE INDEX "block_arrival_idx" ON "samples"."block" ("group_id", "hi_arrival", "lo_arrival") WHERE "level" = 0;
