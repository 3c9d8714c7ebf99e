-- A token lives until it is revoked. Nothing has ever set this column.
ALTER TABLE "token" DROP COLUMN "expires_at_ms";
