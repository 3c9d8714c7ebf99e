-- Readings of the fleet a minute, for the status line.

-- CreateTable
CREATE TABLE "fleet_counter" (
    "minute_ms" DOUBLE PRECISION NOT NULL,
    "writer" TEXT NOT NULL,
    "accepted" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "repeated" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "refused" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "fleet_counter_pkey" PRIMARY KEY ("minute_ms","writer")
);
