import type { IncidentSummary, RunSummary } from "@trainwatch/core";
import { dataOf } from "../data/loaded.ts";
import { useIncidents } from "../data/incidents.ts";
import { useRuns } from "../data/runs.ts";
import { PAGES } from "../pages/registry.ts";
import type { SettingsTab } from "../pages/settings/search.ts";
import { readInteger } from "../url/read.ts";
import { matches } from "./palette-match.ts";

/** Where an entry leads; entries open pages and never act. */
export type Place =
  | { readonly to: (typeof PAGES)[number]["route"]["fullPath"] }
  | { readonly to: "/settings"; readonly search: { readonly tab: SettingsTab; readonly edit?: string } }
  | { readonly to: "/runs/$runId"; readonly params: { readonly runId: number } }
  | { readonly to: "/incidents/$incidentId"; readonly params: { readonly incidentId: number }; readonly hash?: string };

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly code?: string;
  readonly note?: string;
  readonly keys?: string;
  readonly place: Place;
}

export interface PaletteGroup {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

const MAX_ENTRIES = 8;

/** Verbs first, then places: what `query` names among pages, runs (searched by the server) and incidents. */
export function usePaletteGroups(query: string): readonly PaletteGroup[] {
  const runs = dataOf(useRuns({ search: query.trim(), states: [], archived: false, cursor: null }))?.items ?? [];
  const incidents = dataOf(useIncidents({ states: [], severities: [], runId: null, cursor: null }))?.items ?? [];
  const found = incidents.filter((incident) => matches(query, [`#${incident.id}`, incident.title, incident.runName ?? ""]));
  return [
    {
      heading: "Actions",
      entries: [...incidents.flatMap(decisionEntry), ...VERBS].filter((entry) => matches(query, [entry.label])).slice(0, MAX_ENTRIES),
    },
    { heading: "Go to", entries: PAGES.flatMap(pageEntry).filter((entry) => matches(query, [entry.label])) },
    { heading: "Incidents", entries: [...byNumber(query, found), ...found.slice(0, MAX_ENTRIES).map(incidentEntry)] },
    { heading: "Runs", entries: runs.slice(0, MAX_ENTRIES).map(runEntry) },
  ].filter((group) => group.entries.length > 0);
}

/** What can be set up; each opens its form. */
const VERBS: readonly PaletteEntry[] = [
  {
    id: "new-threshold",
    label: "New threshold on a metric…",
    note: "opens its form",
    place: { to: "/settings", search: { tab: "rules", edit: "new:metric" } },
  },
  {
    id: "new-mute",
    label: "Mute at certain hours…",
    note: "opens its form",
    place: { to: "/settings", search: { tab: "mutes", edit: "new" } },
  },
  {
    id: "new-channel",
    label: "Tell somebody else of incidents…",
    note: "opens its form",
    place: { to: "/settings", search: { tab: "channels", edit: "new" } },
  },
  { id: "rules", label: "Change a detector by a rule", note: "opens the rules", place: { to: "/settings", search: { tab: "rules" } } },
];

/** A pasted number goes straight to its incident, also to an old one that the inbox does not show. */
function byNumber(query: string, found: readonly IncidentSummary[]): readonly PaletteEntry[] {
  const incidentId = readInteger(query.trim().replace(/^#/, ""), 1);
  if (incidentId === undefined || found.some((incident) => incident.id === incidentId)) return [];
  return [
    {
      id: `number-${incidentId}`,
      code: `#${incidentId}`,
      label: "Open the incident of this number",
      place: { to: "/incidents/$incidentId", params: { incidentId } },
    },
  ];
}

function pageEntry(page: (typeof PAGES)[number]): readonly PaletteEntry[] {
  return page.word === null ? [] : [{ id: `page-${page.id}`, label: page.word, keys: page.keys, place: { to: page.route.fullPath } }];
}

function incidentEntry(incident: IncidentSummary): PaletteEntry {
  return {
    id: `incident-${incident.id}`,
    code: `#${incident.id}`,
    label: incident.title,
    note: incident.state,
    place: { to: "/incidents/$incidentId", params: { incidentId: incident.id } },
  };
}

function runEntry(run: RunSummary): PaletteEntry {
  return {
    id: `run-${run.id}`,
    label: `${run.project}/${run.name}`,
    note: run.state,
    place: { to: "/runs/$runId", params: { runId: run.id } },
  };
}

function decisionEntry(incident: IncidentSummary): readonly PaletteEntry[] {
  if (incident.action === null || incident.action.decision !== null || incident.state === "resolved") return [];
  return [
    {
      id: `decide-${incident.id}`,
      label: `Decide on ${incident.runName}: ${incident.action.text}`,
      note: "opens the incident",
      place: { to: "/incidents/$incidentId", params: { incidentId: incident.id }, hash: "decision" },
    },
  ];
}
