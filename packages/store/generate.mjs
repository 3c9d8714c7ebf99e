// Generates the Prisma client into packages/store/src/generated, unless it is already the one of this schema. Plain Node: it runs before anything else can.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const output = join(root, "packages/store/src/generated");
const stamp = join(output, ".schema-hash");
const prisma = createRequire(join(root, "package.json")).resolve("prisma/package.json");
const version = JSON.parse(readFileSync(prisma, "utf8")).version;
const hash = createHash("sha256")
  .update(version)
  .update(readFileSync(join(root, "prisma/schema.prisma")))
  .digest("hex");

if (existsSync(join(output, "client.ts")) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) process.exit(0);

try {
  // `generate` never calls the schema engine, but the command line downloads one from outside the registry unless it is told of some program.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" };
  execFileSync(process.execPath, [join(dirname(prisma), "build/index.js"), "generate"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
} catch (error) {
  process.stderr.write(`prisma generate failed:\n${error.stdout ?? ""}${error.stderr ?? error}\n`);
  process.exit(1);
}
rmSync(stamp, { force: true });
writeFileSync(`${stamp}.new`, hash);
renameSync(`${stamp}.new`, stamp);
