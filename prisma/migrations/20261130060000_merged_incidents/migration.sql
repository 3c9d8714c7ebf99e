-- A late finding may show that two incidents are one: the younger is closed and names the one that goes on. Never a chain: where that one is merged as well, all name the last.
ALTER TABLE "incident" ADD COLUMN "merged_into" INTEGER;

CREATE INDEX "incident_merged_into_idx" ON "incident"("merged_into");

ALTER TABLE "incident" ADD CONSTRAINT "incident_merged_into_fkey" FOREIGN KEY ("merged_into") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
