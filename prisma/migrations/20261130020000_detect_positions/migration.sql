-- The states of a wide run are large: they are stored less often than the cursor moves, and `ahead` samples lie between the two.
ALTER TABLE "detect_cursor"
  ADD COLUMN "state_arrival" DOUBLE PRECISION,
  ADD COLUMN "state_offset" INTEGER,
  ADD COLUMN "ahead" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "metrics" JSONB;

-- Incidents of hardware are looked for by what is open or was of late, whoever it works for.
CREATE INDEX "incident_updated_at_ms_idx" ON "incident"("updated_at_ms");

-- What was found before on a node or at a step, for causes and for folding.
CREATE INDEX "finding_node_idx" ON "finding" ((body->'place'->>'nodeId')) WHERE body->'place'->>'nodeId' IS NOT NULL;
CREATE INDEX "finding_onset_step_idx" ON "finding"("onset_step") WHERE "onset_step" IS NOT NULL;
