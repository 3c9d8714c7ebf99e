-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "run" (
    "id" SERIAL NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'running',
    "state_reason" TEXT,
    "state_since_ms" DOUBLE PRECISION,
    "seen_step" DOUBLE PRECISION,
    "step_moved_at_ms" DOUBLE PRECISION,
    "step_time_s" DOUBLE PRECISION,
    "log_every" DOUBLE PRECISION,
    "watched" BOOLEAN NOT NULL DEFAULT false,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "archived_at_ms" DOUBLE PRECISION,
    "ended_at_ms" DOUBLE PRECISION,
    "attempt" TEXT,
    "last_step" DOUBLE PRECISION,
    "last_loss" DOUBLE PRECISION,
    "last_sample_at_ms" DOUBLE PRECISION,
    "last_received_at_ms" DOUBLE PRECISION,
    "series_count" INTEGER NOT NULL DEFAULT 0,
    "point_count" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "step_is_constant" BOOLEAN NOT NULL DEFAULT false,
    "zone_assumed" BOOLEAN NOT NULL DEFAULT false,
    "gpus" INTEGER,
    "tokens_per_step" DOUBLE PRECISION,
    "target_steps" DOUBLE PRECISION,
    "checkpoint_every" DOUBLE PRECISION,
    "cluster" TEXT,
    "arrivals" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "relabels" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "parent" TEXT,
    "branch_step" DOUBLE PRECISION,
    "first_step" DOUBLE PRECISION,
    "last_step" DOUBLE PRECISION,
    "origin" TEXT NOT NULL,
    "question" TEXT,
    "started_at_ms" DOUBLE PRECISION,
    "ended_at_ms" DOUBLE PRECISION,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "series" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "metric" TEXT NOT NULL,
    "source_name" TEXT NOT NULL,
    "unit" TEXT,
    "labels" JSONB NOT NULL,
    "labels_key" TEXT NOT NULL,

    CONSTRAINT "series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_lineage" (
    "run_id" INTEGER NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "run_lineage_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "step" DOUBLE PRECISION NOT NULL,
    "kind" TEXT NOT NULL,
    "path" TEXT,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "saved_at_ms" DOUBLE PRECISION,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_note" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "step" DOUBLE PRECISION,
    "time_ms" DOUBLE PRECISION,
    "text" TEXT NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "run_note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assignment" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "rank" INTEGER,
    "node" TEXT,
    "gpu_uuid" TEXT,
    "facts" JSONB NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "assignment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "finding" (
    "id" TEXT NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "incident_id" INTEGER,
    "fingerprint" TEXT NOT NULL,
    "detector" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "onset_step" DOUBLE PRECISION,
    "detected_step" DOUBLE PRECISION,
    "detected_time_ms" DOUBLE PRECISION,
    "summary" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incident" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "finding_state" TEXT NOT NULL,
    "ongoing" BOOLEAN NOT NULL,
    "finding_count" INTEGER NOT NULL DEFAULT 0,
    "onset_step" DOUBLE PRECISION,
    "onset_time_ms" DOUBLE PRECISION,
    "detected_time_ms" DOUBLE PRECISION,
    "end_step" DOUBLE PRECISION,
    "opened_at_ms" DOUBLE PRECISION NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,
    "owner" TEXT,
    "acknowledged_at_ms" DOUBLE PRECISION,
    "resolved_at_ms" DOUBLE PRECISION,
    "snoozed_until_ms" DOUBLE PRECISION,
    "regression_of" INTEGER,

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incident_event" (
    "id" SERIAL NOT NULL,
    "incident_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at_ms" DOUBLE PRECISION,
    "step" DOUBLE PRECISION,
    "actor" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "incident_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "advice" (
    "id" SERIAL NOT NULL,
    "incident_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "advice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "decision" (
    "id" SERIAL NOT NULL,
    "incident_id" INTEGER NOT NULL,
    "advice_id" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit" (
    "id" SERIAL NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,
    "actor" TEXT NOT NULL,
    "verb" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "details" JSONB NOT NULL,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "expires_at_ms" DOUBLE PRECISION,
    "last_used_at_ms" DOUBLE PRECISION,
    "revoked_at_ms" DOUBLE PRECISION,

    CONSTRAINT "token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "hash" TEXT NOT NULL,
    "token_id" INTEGER NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "expires_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "setting" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "detect_cursor" (
    "run_id" INTEGER NOT NULL,
    "arrival" DOUBLE PRECISION NOT NULL,
    "offset" INTEGER NOT NULL,
    "relabels" INTEGER NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "detect_cursor_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "detect_state" (
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "state" JSONB NOT NULL,
    "coverage" JSONB NOT NULL,
    "finished" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "detect_state_pkey" PRIMARY KEY ("run_id","attempt")
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "expires_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ingest_batch" (
    "source" TEXT NOT NULL,
    "seq" DOUBLE PRECISION NOT NULL,
    "run_id" INTEGER NOT NULL,
    "body_hash" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "received_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "ingest_batch_pkey" PRIMARY KEY ("source","seq")
);

-- CreateTable
CREATE TABLE "ingest_counter" (
    "minute_ms" DOUBLE PRECISION NOT NULL,
    "run_id" INTEGER NOT NULL,
    "accepted" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "repeated" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "refused" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "ingest_counter_pkey" PRIMARY KEY ("minute_ms","run_id")
);

-- CreateIndex
CREATE INDEX "run_last_received_at_ms_idx" ON "run"("last_received_at_ms");

-- CreateIndex
CREATE UNIQUE INDEX "run_project_name_key" ON "run"("project", "name");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_run_id_name_key" ON "attempt"("run_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_run_id_ordinal_key" ON "attempt"("run_id", "ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "series_run_id_metric_labels_key_key" ON "series"("run_id", "metric", "labels_key");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_run_id_attempt_step_kind_key" ON "checkpoint"("run_id", "attempt", "step", "kind");

-- CreateIndex
CREATE INDEX "run_note_run_id_step_idx" ON "run_note"("run_id", "step");

-- CreateIndex
CREATE UNIQUE INDEX "assignment_run_id_attempt_key_key" ON "assignment"("run_id", "attempt", "key");

-- CreateIndex
CREATE INDEX "finding_run_id_detected_step_idx" ON "finding"("run_id", "detected_step");

-- CreateIndex
CREATE INDEX "finding_incident_id_idx" ON "finding"("incident_id");

-- CreateIndex
CREATE INDEX "incident_run_id_state_idx" ON "incident"("run_id", "state");

-- CreateIndex
CREATE INDEX "incident_state_opened_at_ms_idx" ON "incident"("state", "opened_at_ms");

-- CreateIndex
CREATE INDEX "incident_event_incident_id_idx" ON "incident_event"("incident_id");

-- CreateIndex
CREATE INDEX "advice_incident_id_idx" ON "advice"("incident_id");

-- CreateIndex
CREATE INDEX "decision_incident_id_idx" ON "decision"("incident_id");

-- CreateIndex
CREATE UNIQUE INDEX "decision_advice_id_key" ON "decision"("advice_id");

-- CreateIndex
CREATE INDEX "audit_target_idx" ON "audit"("target");

-- CreateIndex
CREATE UNIQUE INDEX "token_hash_key" ON "token"("hash");

-- CreateIndex
CREATE INDEX "session_token_id_idx" ON "session"("token_id");

-- CreateIndex
CREATE INDEX "session_expires_at_ms_idx" ON "session"("expires_at_ms");

-- CreateIndex
CREATE INDEX "ingest_batch_run_id_received_at_ms_idx" ON "ingest_batch"("run_id", "received_at_ms");

-- CreateIndex
CREATE INDEX "ingest_batch_received_at_ms_idx" ON "ingest_batch"("received_at_ms");

-- CreateIndex
CREATE INDEX "ingest_counter_run_id_idx" ON "ingest_counter"("run_id");

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_lineage" ADD CONSTRAINT "run_lineage_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkpoint" ADD CONSTRAINT "checkpoint_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_note" ADD CONSTRAINT "run_note_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assignment" ADD CONSTRAINT "assignment_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident" ADD CONSTRAINT "incident_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_event" ADD CONSTRAINT "incident_event_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "advice" ADD CONSTRAINT "advice_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision" ADD CONSTRAINT "decision_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision" ADD CONSTRAINT "decision_advice_id_fkey" FOREIGN KEY ("advice_id") REFERENCES "advice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "token"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "detect_cursor" ADD CONSTRAINT "detect_cursor_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "detect_state" ADD CONSTRAINT "detect_state_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_batch" ADD CONSTRAINT "ingest_batch_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_counter" ADD CONSTRAINT "ingest_counter_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- One incident a fault that is not resolved: two workers that open the same one at once end with one row. Prisma cannot say "where" on an index.
CREATE UNIQUE INDEX "incident_open_fingerprint_key" ON "incident"("fingerprint") WHERE "state" <> 'resolved';

-- Names tell people apart in the audit: no two live tokens share one.
CREATE UNIQUE INDEX "token_live_name_key" ON "token"("name") WHERE "revoked_at_ms" IS NULL;
