-- Results of evaluations, with their samples, and releases decided on by them.
CREATE TABLE "scorecard" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "run_id" INTEGER,
    "checkpoint_id" INTEGER,
    "model" TEXT NOT NULL,
    "step" DOUBLE PRECISION,
    "path" TEXT,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "scorecard_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "eval_file" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "run_id" INTEGER,
    "format" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "last_part" INTEGER,
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "eval_file_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "eval_part" (
    "file_id" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "body_hash" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "received_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "eval_part_pkey" PRIMARY KEY ("file_id","part")
);

CREATE TABLE "eval_result" (
    "id" SERIAL NOT NULL,
    "scorecard_id" INTEGER NOT NULL,
    "file_id" INTEGER NOT NULL,
    "task" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "value" DOUBLE PRECISION,
    "stderr" DOUBLE PRECISION,
    "low" DOUBLE PRECISION,
    "high" DOUBLE PRECISION,
    "n" DOUBLE PRECISION,
    "higher_is_better" BOOLEAN,
    "unit" TEXT,
    "dimension" TEXT,
    "grouped" JSONB,
    "settings" JSONB NOT NULL,
    "evaluated_at_ms" DOUBLE PRECISION,
    "imported_at_ms" DOUBLE PRECISION NOT NULL,
    "order_ms" DOUBLE PRECISION NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "eval_result_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "eval_set" (
    "id" SERIAL NOT NULL,
    "file_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "scorecard_id" INTEGER NOT NULL,
    "opponent_id" INTEGER,
    "task" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "judge" TEXT,
    "length_unit" TEXT,
    "settings" JSONB NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "key" TEXT NOT NULL,

    CONSTRAINT "eval_set_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "eval_block" (
    "id" SERIAL NOT NULL,
    "set_id" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "columns" TEXT NOT NULL,
    "keys" TEXT NOT NULL,
    "clusters" TEXT,
    "categories" TEXT,
    "numbers" BYTEA NOT NULL,

    CONSTRAINT "eval_block_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "eval_text" (
    "block_id" INTEGER NOT NULL,
    "chunk" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "eval_text_pkey" PRIMARY KEY ("block_id","chunk")
);

CREATE TABLE "release" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "gates_fixed_at_ms" DOUBLE PRECISION,
    "results_before_gates" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 0,
    "frozen_body" TEXT,
    "frozen_hash" TEXT,
    "frozen_at_ms" DOUBLE PRECISION,
    "frozen_rows" INTEGER,
    "chosen_scorecard_id" INTEGER,

    CONSTRAINT "release_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "release_column" (
    "release_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "scorecard_id" INTEGER NOT NULL,
    "model" TEXT NOT NULL,

    CONSTRAINT "release_column_pkey" PRIMARY KEY ("release_id","ordinal")
);

CREATE TABLE "release_gate" (
    "id" SERIAL NOT NULL,
    "release_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "release_gate_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "release_override" (
    "id" SERIAL NOT NULL,
    "release_id" INTEGER NOT NULL,
    "gate_id" INTEGER,
    "row_key" TEXT,
    "scorecard_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "release_override_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "release_signature" (
    "release_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "signed_as" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,
    "scorecard_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "release_signature_pkey" PRIMARY KEY ("release_id","role")
);

CREATE UNIQUE INDEX "scorecard_key_key" ON "scorecard"("key");
CREATE INDEX "scorecard_run_id_step_idx" ON "scorecard"("run_id", "step");
CREATE INDEX "scorecard_checkpoint_id_idx" ON "scorecard"("checkpoint_id");
CREATE UNIQUE INDEX "eval_file_key_key" ON "eval_file"("key");
CREATE INDEX "eval_file_run_id_idx" ON "eval_file"("run_id");
CREATE INDEX "eval_result_scorecard_id_task_metric_filter_idx" ON "eval_result"("scorecard_id", "task", "metric", "filter");
CREATE INDEX "eval_result_file_id_idx" ON "eval_result"("file_id");
CREATE INDEX "eval_set_scorecard_id_idx" ON "eval_set"("scorecard_id");
CREATE INDEX "eval_set_opponent_id_idx" ON "eval_set"("opponent_id");
CREATE UNIQUE INDEX "eval_set_file_id_key_key" ON "eval_set"("file_id", "key");
CREATE UNIQUE INDEX "eval_block_set_id_part_key" ON "eval_block"("set_id", "part");
CREATE UNIQUE INDEX "release_name_key" ON "release"("name");
CREATE INDEX "release_column_scorecard_id_idx" ON "release_column"("scorecard_id");
CREATE UNIQUE INDEX "release_gate_release_id_ordinal_key" ON "release_gate"("release_id", "ordinal");
CREATE UNIQUE INDEX "release_override_release_id_key_key" ON "release_override"("release_id", "key");

ALTER TABLE "scorecard" ADD CONSTRAINT "scorecard_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "scorecard" ADD CONSTRAINT "scorecard_checkpoint_id_fkey" FOREIGN KEY ("checkpoint_id") REFERENCES "checkpoint"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "eval_file" ADD CONSTRAINT "eval_file_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_part" ADD CONSTRAINT "eval_part_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "eval_file"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_result" ADD CONSTRAINT "eval_result_scorecard_id_fkey" FOREIGN KEY ("scorecard_id") REFERENCES "scorecard"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_result" ADD CONSTRAINT "eval_result_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "eval_file"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_set" ADD CONSTRAINT "eval_set_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "eval_file"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_set" ADD CONSTRAINT "eval_set_scorecard_id_fkey" FOREIGN KEY ("scorecard_id") REFERENCES "scorecard"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_set" ADD CONSTRAINT "eval_set_opponent_id_fkey" FOREIGN KEY ("opponent_id") REFERENCES "scorecard"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_block" ADD CONSTRAINT "eval_block_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "eval_set"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "eval_text" ADD CONSTRAINT "eval_text_block_id_fkey" FOREIGN KEY ("block_id") REFERENCES "eval_block"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "release_column" ADD CONSTRAINT "release_column_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "release_gate" ADD CONSTRAINT "release_gate_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "release_override" ADD CONSTRAINT "release_override_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "release_override" ADD CONSTRAINT "release_override_gate_id_fkey" FOREIGN KEY ("gate_id") REFERENCES "release_gate"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "release_signature" ADD CONSTRAINT "release_signature_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Compressed by us already.
ALTER TABLE "eval_text" ALTER COLUMN "body" SET STORAGE EXTERNAL;
