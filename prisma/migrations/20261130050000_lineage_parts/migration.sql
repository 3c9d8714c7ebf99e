-- What pushes leave of each series for the next one to tell attempts apart by, 64 series a row: a push of some ranks reads and writes what it
-- names, not what is known of all the others. What is not by series is in `run_lineage`.
CREATE TABLE "samples"."lineage_part" (
    "group_id" integer NOT NULL,
    -- Series by id, 64 a part.
    "part" integer NOT NULL,
    -- JSON as text: nothing looks inside.
    "state" text NOT NULL,
    CONSTRAINT "lineage_part_pkey" PRIMARY KEY ("group_id", "part")
);

-- Series of second writers, which are few among the series of a run: every push asks for those of its own.
CREATE INDEX "series_writer_idx" ON "series" ("run_id") WHERE position(E'\n' IN "labels_key") > 0;
