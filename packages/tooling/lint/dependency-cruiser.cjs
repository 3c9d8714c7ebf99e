// Which way imports may point (docs/architecture.md). An error from the first day.
const PACKAGES = {
  core: [],
  stats: [],
  formats: ["core"],
  detect: ["core", "stats"],
  decide: ["core", "stats"],
  simulate: ["core"],
  store: ["core"],
  api: ["core", "stats", "detect", "decide", "store"],
  ui: ["core", "stats"],
};
const TEST = "\\.test\\.tsx?$|\\.fixture\\.tsx?$|/fixtures/";

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports`,
  severity: "error",
  comment: `packages/${name} may import ${allowed.length === 0 ? "no other package" : allowed.join(", ")}`,
  from: { path: `^packages/${name}/`, pathNot: TEST },
  to: { path: "^(packages|apps)/", pathNot: `^packages/(${[name, ...allowed].join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...packageRules,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "pure-has-no-node",
      severity: "error",
      from: { path: "^packages/(core|stats|formats|detect|decide|simulate)/src|^packages/ui/src/charts/prepare", pathNot: TEST },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "core-needs-zod-only",
      severity: "error",
      from: { path: "^packages/core/src", pathNot: TEST },
      to: { path: "node_modules", pathNot: "node_modules/zod" },
    },
    {
      name: "prisma-and-pg-in-store",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: "^packages/(store|testkit)/" },
      to: { path: "node_modules/(@prisma|pg|pg-copy-streams)/|packages/store/src/generated" },
    },
    {
      name: "trpc-client-in-web-data",
      severity: "error",
      from: { path: "^apps/web/src", pathNot: "^apps/web/src/data/" },
      to: { path: "node_modules/@trpc/" },
    },
    {
      name: "web-takes-only-types-of-api",
      severity: "error",
      from: { path: "^apps/web/src" },
      to: { path: "^packages/(api|store|detect|decide|formats)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "entered-by-index",
      severity: "error",
      comment: "packages are entered by index.ts or a subpath listed in their exports",
      from: { path: "^(packages|apps)/([^/]+)/", pathNot: TEST },
      to: { path: "^packages/([^/]+)/src/.+", pathNot: ["^packages/$2/", "/src/index\\.ts$", "^packages/ui/src/(styles\\.css|charts/)"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|generated" },
    exclude: { path: "dist/|\\.turbo|/bench/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
