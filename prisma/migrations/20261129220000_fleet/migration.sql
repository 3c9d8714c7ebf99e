-- Nodes, GPUs, links and ports over time, and what happened to them.

-- CreateTable
CREATE TABLE "fleet_node" (
    "id" SERIAL NOT NULL,
    "machine_id" TEXT,
    "host" TEXT NOT NULL,
    "boot_id" TEXT,
    "first_seen_ms" DOUBLE PRECISION NOT NULL,
    "last_seen_ms" DOUBLE PRECISION NOT NULL,
    "cordoned_at_ms" DOUBLE PRECISION,
    "cordon_reason" TEXT,

    CONSTRAINT "fleet_node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fleet_entity" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "node_id" INTEGER,
    "first_seen_ms" DOUBLE PRECISION NOT NULL,
    "last_seen_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "fleet_entity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fleet_attribute" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "from_ms" DOUBLE PRECISION NOT NULL,
    "to_ms" DOUBLE PRECISION,

    CONSTRAINT "fleet_attribute_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fleet_event" (
    "id" SERIAL NOT NULL,
    "node_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "code" INTEGER,
    "sub_code" TEXT,
    "severity" TEXT NOT NULL,
    "entity_kind" TEXT,
    "entity_key" TEXT,
    "text" TEXT NOT NULL,
    "first_ms" DOUBLE PRECISION NOT NULL,
    "last_ms" DOUBLE PRECISION NOT NULL,
    "count" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "fleet_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fleet_batch" (
    "source" TEXT NOT NULL,
    "seq" DOUBLE PRECISION NOT NULL,
    "body_hash" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "received_at_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "fleet_batch_pkey" PRIMARY KEY ("source","seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "fleet_node_machine_id_key" ON "fleet_node"("machine_id");

-- CreateIndex
CREATE INDEX "fleet_node_host_idx" ON "fleet_node"("host");

-- CreateIndex
CREATE INDEX "fleet_entity_node_id_idx" ON "fleet_entity"("node_id");

-- CreateIndex
CREATE UNIQUE INDEX "fleet_entity_kind_key_key" ON "fleet_entity"("kind", "key");

-- CreateIndex
CREATE INDEX "fleet_attribute_kind_key_name_from_ms_idx" ON "fleet_attribute"("kind", "key", "name", "from_ms");

-- CreateIndex
CREATE INDEX "fleet_attribute_name_value_idx" ON "fleet_attribute"("name", "value");

-- CreateIndex
CREATE INDEX "fleet_event_last_ms_idx" ON "fleet_event"("last_ms");

-- CreateIndex
CREATE INDEX "fleet_event_node_id_last_ms_idx" ON "fleet_event"("node_id", "last_ms");

-- CreateIndex
CREATE INDEX "fleet_event_entity_kind_entity_key_last_ms_idx" ON "fleet_event"("entity_kind", "entity_key", "last_ms");

-- CreateIndex
CREATE INDEX "fleet_batch_received_at_ms_idx" ON "fleet_batch"("received_at_ms");

-- AddForeignKey
ALTER TABLE "fleet_entity" ADD CONSTRAINT "fleet_entity_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "fleet_node"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fleet_event" ADD CONSTRAINT "fleet_event_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "fleet_node"("id") ON DELETE CASCADE ON UPDATE CASCADE;
