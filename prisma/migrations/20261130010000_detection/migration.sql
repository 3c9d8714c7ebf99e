-- Findings and incidents of the fleet may belong to no run.
ALTER TABLE "finding" ALTER COLUMN "run_id" DROP NOT NULL;
ALTER TABLE "incident" ALTER COLUMN "run_id" DROP NOT NULL;
ALTER TABLE "incident"
  ADD COLUMN "flaps" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "end_time_ms" DOUBLE PRECISION,
  ADD COLUMN "assessment" JSONB,
  ADD COLUMN "label" TEXT,
  ADD COLUMN "label_reason" TEXT,
  ADD COLUMN "labelled_by" TEXT,
  ADD COLUMN "labelled_at_ms" DOUBLE PRECISION;

CREATE TABLE "fleet_detect" (
    "id" INTEGER NOT NULL,
    "tick_ms" DOUBLE PRECISION NOT NULL,
    "state" JSONB NOT NULL,
    "coverage" JSONB NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "fleet_detect_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "replay" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "step" DOUBLE PRECISION,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,
    "gpu_id" TEXT,
    "node_id" TEXT,
    "note" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "replay_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "rule" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER,
    "cluster" TEXT,
    "body" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "rule_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "mute" (
    "id" SERIAL NOT NULL,
    "run_id" INTEGER,
    "cluster" TEXT,
    "body" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "mute_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "channel" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "run_id" INTEGER,
    "cluster" TEXT,
    "body" JSONB NOT NULL,
    "secret" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "updated_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "notice" (
    "id" SERIAL NOT NULL,
    "incident_id" INTEGER NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "created_at_ms" DOUBLE PRECISION NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',

    CONSTRAINT "notice_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "delivery" (
    "id" SERIAL NOT NULL,
    "notice_id" INTEGER NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,
    "ok" BOOLEAN NOT NULL,
    "status" INTEGER,
    "message" TEXT NOT NULL,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "replay_run_id_attempt_idx" ON "replay"("run_id", "attempt");
CREATE UNIQUE INDEX "channel_name_key" ON "channel"("name");
CREATE UNIQUE INDEX "notice_incident_id_channel_id_reason_ordinal_key" ON "notice"("incident_id", "channel_id", "reason", "ordinal");
CREATE INDEX "notice_channel_id_id_idx" ON "notice"("channel_id", "id");
CREATE INDEX "delivery_notice_id_idx" ON "delivery"("notice_id");

ALTER TABLE "replay" ADD CONSTRAINT "replay_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "rule" ADD CONSTRAINT "rule_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mute" ADD CONSTRAINT "mute_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "channel" ADD CONSTRAINT "channel_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notice" ADD CONSTRAINT "notice_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notice" ADD CONSTRAINT "notice_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notice"("id") ON DELETE CASCADE ON UPDATE CASCADE;
