import {
  formatCompact,
  formatDuration,
  formatInteger,
  KeyHint,
  Spacer,
  StatusButton,
  StatusItem,
  StatusLine,
  StatusValue,
  zoneName,
} from "@trainwatch/ui";
import { useNow } from "../clock/now.tsx";
import { useConnection } from "../data/connection.ts";
import { dataOf } from "../data/loaded.ts";
import { useStatus } from "../data/system.ts";
import { useZone } from "../zone/zone.tsx";
import { blindSentence, linkWord } from "./status-words.ts";

/** The foot of every page: what is live, how old the newest sample is, what came in, what cannot be seen. */
export function StatusFoot({ onKeys }: { readonly onKeys: () => void }) {
  const connection = useConnection();
  const status = dataOf(useStatus());
  const nowMs = useNow();
  const { zone } = useZone();
  const link = linkWord(connection);
  const rate = formatCompact(status?.samplesPerSecond ?? null, "samples/s");
  return (
    <StatusLine>
      <StatusItem mark={link.mark} live title={link.title}>
        <StatusValue>{link.word}</StatusValue>
      </StatusItem>
      <StatusItem title="Age of the newest sample of any run or node">
        {status === null || status.newestSampleAtMs === null ? (
          "no sample yet"
        ) : (
          <>
            newest sample <StatusValue>{formatDuration(Math.max(0, nowMs - status.newestSampleAtMs))}</StatusValue> ago
          </>
        )}
      </StatusItem>
      {status === null ? null : (
        <>
          <StatusItem wide title="Over the last minute">
            ingest <StatusValue>{rate.text}</StatusValue> {rate.unit}
          </StatusItem>
          <StatusItem wide title="Samples of the last hour">
            last hour: taken <StatusValue>{short(status.lastHour.accepted)}</StatusValue>, repeated{" "}
            <StatusValue>{short(status.lastHour.repeated)}</StatusValue>, refused{" "}
            <StatusValue>{short(status.lastHour.refused)}</StatusValue>
          </StatusItem>
          <StatusItem wide title="Active runs that have sent a sample within their expected time">
            runs reporting <StatusValue>{`${formatInteger(status.runsReporting)} of ${formatInteger(status.runsActive)}`}</StatusValue>
          </StatusItem>
          {status.fleet === null ? null : (
            <StatusItem wide title="Nodes with a reading of the last three minutes">
              nodes reporting{" "}
              <StatusValue>{`${formatInteger(status.fleet.nodesReporting)} of ${formatInteger(status.fleet.nodes)}`}</StatusValue>
            </StatusItem>
          )}
          {status.blind.length === 0 ? null : (
            <StatusItem wide mark="unknown" title={status.blind.map((entry) => `${entry.run}: ${entry.detector}, ${entry.why}`).join("\n")}>
              blind: <StatusValue>{blindSentence(status.blind)}</StatusValue>
            </StatusItem>
          )}
        </>
      )}
      <Spacer />
      {status?.demo === true ? (
        <StatusItem wide title="A throw-away database with simulated runs">
          demo
        </StatusItem>
      ) : null}
      <StatusItem wide>
        all times <StatusValue>{zoneName(zone, nowMs)}</StatusValue>
      </StatusItem>
      <StatusButton label="Show the keys" onPress={onKeys}>
        <KeyHint keys="?" /> keys
      </StatusButton>
    </StatusLine>
  );
}

function short(count: number): string {
  const { text, unit } = formatCompact(count);
  return unit === "" ? text : `${text} ${unit}`;
}
