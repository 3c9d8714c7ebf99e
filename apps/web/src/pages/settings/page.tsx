import { getRouteApi } from "@tanstack/react-router";
import { Page, Tabs, TitleRow } from "@trainwatch/ui";
import { AuditTrail } from "./audit-trail.tsx";
import { FleetRetention } from "./fleet-retention.tsx";
import { Retention } from "./retention.tsx";
import type { SettingsTab } from "./search.ts";
import { Tokens } from "./tokens.tsx";

const route = getRouteApi("/settings");

const PANELS = { tokens: Tokens, retention: BothRetentions, audit: AuditTrail } as const satisfies Record<
  SettingsTab,
  () => React.ReactNode
>;

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
