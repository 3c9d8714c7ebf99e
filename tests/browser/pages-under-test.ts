/** Every page with the words of its own that must be readable when it is whole. */
export interface PageUnderTest {
  readonly name: string;
  readonly path: string;
  /** The verb without which the page can say nothing. */
  readonly verb: string;
  /** What the failed page is about, as its error says. */
  readonly what: string;
}

export function pagesUnderTest(runId: number, incidentId: number): readonly PageUnderTest[] {
  return [
    { name: "Overview", path: "/", verb: "overview.get", what: "The overview" },
    { name: "Runs", path: "/runs", verb: "runs.list", what: "The run list" },
    { name: "Run", path: `/runs/${runId}`, verb: "runs.get", what: "The run" },
    { name: "Incidents", path: "/incidents", verb: "incidents.list", what: "The inbox" },
    { name: "Incident", path: `/incidents/${incidentId}`, verb: "incidents.get", what: `Incident #${incidentId}` },
    { name: "Checkpoints", path: "/checkpoints", verb: "checkpoints.registry", what: "The checkpoints" },
    { name: "Checkpoint passport", path: "/checkpoints/1", verb: "checkpoints.passport", what: "The passport" },
    { name: "Releases", path: "/releases", verb: "releases.list", what: "The list of releases" },
    { name: "Release", path: "/releases/1", verb: "releases.get", what: "Release 1" },
    { name: "Trends", path: `/releases/trends?run=${runId}`, verb: "scorecards.trend", what: "The trends" },
    { name: "Detectors", path: "/detectors", verb: "detectors.catalogue", what: "The catalogue of detectors" },
    { name: "Settings, tokens", path: "/settings", verb: "tokens.list", what: "The list of tokens" },
    { name: "Settings, rules", path: "/settings?tab=rules", verb: "rules.list", what: "The rules" },
    {
      name: "Settings, a rule",
      path: "/settings?tab=rules&edit=new%3Ametric",
      verb: "detectors.catalogue",
      what: "The catalogue of detectors",
    },
    { name: "Settings, mutes", path: "/settings?tab=mutes", verb: "mutes.list", what: "The mute calendars" },
    { name: "Settings, notifications", path: "/settings?tab=channels", verb: "channels.list", what: "The channels" },
    { name: "Settings, retention", path: "/settings?tab=retention", verb: "settings.get", what: "The settings" },
    { name: "Settings, audit trail", path: "/settings?tab=audit", verb: "audit.list", what: "The audit trail" },
  ];
}
