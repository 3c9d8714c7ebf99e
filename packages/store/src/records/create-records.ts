import type { PrismaClient } from "../generated/client.ts";
import { createAdviceRecords } from "./advice-records.ts";
import { createAuditRecords } from "./audit-records.ts";
import { createChannelRecords } from "./channel-records.ts";
import { createCauseRecords } from "./cause-records.ts";
import { createCheckpointRecords } from "./checkpoint-records.ts";
import { createCursorRecords } from "./cursor-records.ts";
import type { Db } from "./db.ts";
import { createDecisionRecords } from "./decision-records.ts";
import { createFindingRecords } from "./finding-records.ts";
import { createFleetDetectRecords } from "./fleet-detect-records.ts";
import { createFleetRecords, type Within } from "./fleet-records.ts";
import { createHealthRecords } from "./health-records.ts";
import { createIncidentRecords } from "./incident-records.ts";
import { createLabelRecords } from "./label-records.ts";
import { createLeaseRecords } from "./lease-records.ts";
import { createMuteRecords } from "./mute-records.ts";
import { createNoticeRecords } from "./notice-records.ts";
import type { Records } from "./records.ts";
import { createReleaseRecords } from "./release-records.ts";
import { createReplayRecords } from "./replay-records.ts";
import { createRuleRecords } from "./rule-records.ts";
import { createRunRecords } from "./run-records.ts";
import { createScorecardRecords } from "./scorecard-records.ts";
import { createSessionRecords } from "./session-records.ts";
import { createSettingRecords } from "./setting-records.ts";
import { createStatusRecords } from "./status-records.ts";
import { createTokenRecords } from "./token-records.ts";

/** A detect step over a full batch writes a few dozen rows; what takes longer than this is stuck. */
const TRANSACTION_TIMEOUT_MS = 30_000;
/** How long a transaction may wait for a free connection of the pool. */
const CONNECTION_WAIT_MS = 10_000;

export function createRecords(prisma: PrismaClient): Records {
  const within: Within = (act) => prisma.$transaction(act, { timeout: TRANSACTION_TIMEOUT_MS, maxWait: CONNECTION_WAIT_MS });
  return { ...recordsOn(prisma, within), transaction: (act) => within(async (tx) => act(recordsWithin(tx))) };
}

/** Records that work inside a transaction that somebody else has begun. */
export function recordsWithin(tx: Db): Records {
  const records: Records = { ...recordsOn(tx, (act) => act(tx)), transaction: (act) => act(records) };
  return records;
}

function recordsOn(db: Db, within: Within): Omit<Records, "transaction"> {
  return {
    runs: createRunRecords(db),
    findings: createFindingRecords(db),
    incidents: createIncidentRecords(db),
    advice: createAdviceRecords(db),
    decisions: createDecisionRecords(db),
    audit: createAuditRecords(db),
    tokens: createTokenRecords(db),
    sessions: createSessionRecords(db),
    settings: createSettingRecords(db),
    causes: createCauseRecords(db),
    cursors: createCursorRecords(db),
    health: createHealthRecords(db),
    leases: createLeaseRecords(db),
    status: createStatusRecords(db),
    fleet: createFleetRecords(db, within),
    rules: createRuleRecords(db),
    mutes: createMuteRecords(db),
    channels: createChannelRecords(db),
    notices: createNoticeRecords(db),
    replays: createReplayRecords(db),
    labels: createLabelRecords(db),
    fleetDetect: createFleetDetectRecords(db),
    checkpoints: createCheckpointRecords(db),
    scorecards: createScorecardRecords(db),
    releases: createReleaseRecords(db),
  };
}
