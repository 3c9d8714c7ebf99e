import type { AdviceRecords } from "./advice-records.ts";
import type { AuditRecords } from "./audit-records.ts";
import type { ChannelRecords } from "./channel-records.ts";
import type { CauseRecords } from "./cause-records.ts";
import type { CheckpointRecords } from "./checkpoint-records.ts";
import type { CursorRecords } from "./cursor-records.ts";
import type { DecisionRecords } from "./decision-records.ts";
import type { FindingRecords } from "./finding-records.ts";
import type { FleetDetectRecords } from "./fleet-detect-records.ts";
import type { FleetRecords } from "./fleet-records.ts";
import type { HealthRecords } from "./health-records.ts";
import type { IncidentRecords } from "./incident-records.ts";
import type { LabelRecords } from "./label-records.ts";
import type { LeaseRecords } from "./lease-records.ts";
import type { MuteRecords } from "./mute-records.ts";
import type { NoticeRecords } from "./notice-records.ts";
import type { ReleaseRecords } from "./release-records.ts";
import type { ReplayRecords } from "./replay-records.ts";
import type { RuleRecords } from "./rule-records.ts";
import type { RunRecords } from "./run-records.ts";
import type { ScorecardRecords } from "./scorecard-records.ts";
import type { SessionRecords } from "./session-records.ts";
import type { SettingRecords } from "./setting-records.ts";
import type { StatusRecords } from "./status-records.ts";
import type { TokenRecords } from "./token-records.ts";

/** Everything that is not a sample, in terms of `core`. No Prisma type leaves this folder. */
export interface Records {
  readonly runs: RunRecords;
  readonly findings: FindingRecords;
  readonly incidents: IncidentRecords;
  readonly advice: AdviceRecords;
  readonly decisions: DecisionRecords;
  readonly audit: AuditRecords;
  readonly tokens: TokenRecords;
  readonly sessions: SessionRecords;
  readonly settings: SettingRecords;
  readonly causes: CauseRecords;
  readonly cursors: CursorRecords;
  readonly health: HealthRecords;
  readonly leases: LeaseRecords;
  readonly status: StatusRecords;
  readonly fleet: FleetRecords;
  readonly rules: RuleRecords;
  readonly mutes: MuteRecords;
  readonly channels: ChannelRecords;
  readonly notices: NoticeRecords;
  readonly replays: ReplayRecords;
  readonly labels: LabelRecords;
  readonly fleetDetect: FleetDetectRecords;
  readonly checkpoints: CheckpointRecords;
  readonly scorecards: ScorecardRecords;
  readonly releases: ReleaseRecords;
  /** All or nothing. The records given to `act` see and make the transaction's own writes; nesting joins the outer one. */
  transaction<T>(act: (records: Records) => Promise<T>): Promise<T>;
}
