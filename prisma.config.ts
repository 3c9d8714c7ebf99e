import { defineConfig } from "prisma/config";

/** For the Prisma command line only (`generate`, `format`): the server applies migrations itself, without it. */
export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
