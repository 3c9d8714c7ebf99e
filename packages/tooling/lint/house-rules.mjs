// Rules of the house that no public rule set has. Loaded by .oxlintrc.json; each message says what to do instead.

/** Class names live in packages/ui, so that the look has one home. */
const noClassName = {
  meta: { type: "problem", docs: { description: "class names belong to packages/ui" } },
  create(context) {
    return {
      JSXAttribute(node) {
        if (node.name.name === "className" || node.name.name === "style") {
          context.report({ node, message: `'${node.name.name}' outside packages/ui: compose a component of @trainwatch/ui instead.` });
        }
      },
    };
  },
};

const CLOCKS = new Map([
  ["Date", new Set(["now"])],
  ["Math", new Set(["random"])],
  ["performance", new Set(["now"])],
  ["crypto", new Set(["randomUUID", "getRandomValues"])],
]);
const TIMERS = new Set(["setTimeout", "setInterval", "queueMicrotask", "fetch"]);

/** Pure packages take time, seed and limits as arguments; a replay then equals the live run. */
const pure = {
  meta: { type: "problem", docs: { description: "pure packages have no clock, randomness, timers or network" } },
  create(context) {
    const report = (node, what) => context.report({ node, message: `${what} in a pure package: take it as an argument.` });
    return {
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || node.property.type !== "Identifier") return;
        if (CLOCKS.get(node.object.name)?.has(node.property.name)) report(node, `${node.object.name}.${node.property.name}`);
        if (node.object.name === "process") report(node, "process");
      },
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0) report(node, "new Date()");
      },
      CallExpression(node) {
        if (node.callee.type === "Identifier" && TIMERS.has(node.callee.name)) report(node, node.callee.name);
      },
    };
  },
};

/** The environment is read in one place per app, so that every fault is reported at once. */
const envInConfig = {
  meta: { type: "problem", docs: { description: "process.env is read in apps/*/src/config.ts only" } },
  create(context) {
    return {
      MemberExpression(node) {
        if (
          node.object.type === "Identifier" &&
          node.object.name === "process" &&
          node.property.type === "Identifier" &&
          node.property.name === "env"
        ) {
          context.report({ node, message: "process.env outside config.ts: add the setting to the app's configuration schema." });
        }
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: { "no-class-name": noClassName, pure, "env-in-config": envInConfig },
};
