// Bundles the agent to one lean file: `node apps/cli/build-agent.mjs`, or with a path of your own as the argument.
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** zod brings its messages in fifty languages, a quarter of the file; the agent's are English. */
const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

const outfile = process.argv[2] ?? join(import.meta.dirname, "dist/trainwatch-agent.mjs");

await build({
  entryPoints: [join(import.meta.dirname, "src/agent/main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  minify: true,
  // Names of errors and classes are told to people.
  keepNames: true,
  plugins: [englishOnly],
  legalComments: "linked",
  // Packages in the older module format ask for built-in modules by `require`.
  banner: { js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: "warning",
});
console.error(`built ${outfile}`);
