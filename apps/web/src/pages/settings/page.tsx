import { getRouteApi } from "@tanstack/react-router";
import { Page, Tabs, TitleRow } from "@trainwatch/ui";
import { AuditTrail } from "./audit-trail.tsx";
import { Channels } from "./channels/channels.tsx";
import { FleetRetention } from "./fleet-retention.tsx";
import { Mutes } from "./mutes/mutes.tsx";
import { Retention } from "./retention.tsx";
import { Rules } from "./rules/rules.tsx";
import type { SettingsTab } from "./search.ts";
import { Tokens } from "./tokens.tsx";

const route = getRouteApi("/settings");

const PANELS = {
  tokens: Tokens,
  rules: Rules,
  mutes: Mutes,
  channels: Channels,
  retention: BothRetentions,
  audit: AuditTrail,
} as const satisfies Record<SettingsTab, () => React.ReactNode>;

function BothRetentions() {
  return (
    <>
      <Retention />
      <FleetRetention />
    </>
  );
}

export function SettingsPage() {
  const { tab = "tokens" } = route.useSearch();
  const navigate = route.useNavigate();
  const Panel = PANELS[tab];
  return (
    <Page label="Settings">
      <title>Settings · Trainwatch</title>
      <TitleRow title="Settings" />
      <Tabs
        label="Settings"
        value={tab}
        options={[
          { value: "tokens", label: "Tokens" },
          { value: "rules", label: "Rules" },
          { value: "mutes", label: "Mutes" },
          { value: "channels", label: "Notifications" },
          { value: "retention", label: "Retention" },
          { value: "audit", label: "Audit trail" },
        ]}
        onChange={(next) => void navigate({ search: { tab: next } })}
      >
        <Panel />
      </Tabs>
    </Page>
  );
}
