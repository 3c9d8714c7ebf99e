-- Events that a gauge of the last event tells (E1).

-- AlterTable
ALTER TABLE "fleet_event" ADD COLUMN     "from_gauge" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "fleet_last_event" (
    "key" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "fleet_last_event_pkey" PRIMARY KEY ("key","metric")
);
