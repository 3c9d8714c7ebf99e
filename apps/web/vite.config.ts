import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `vite dev` finds a running server; the built page is served by the server itself. */
const DEV_SERVER = "http://127.0.0.1:4400";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { host: "127.0.0.1", proxy: { "/trpc": DEV_SERVER, "/auth": DEV_SERVER, "/healthz": DEV_SERVER } },
  build: {
    outDir: "dist",
    target: "es2023",
    sourcemap: true,
    // Everything the page needs comes from the server that sent it: training clusters are cut off from the world.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        // Chart code changes with us, the libraries under it do not: they stay in the browser's cache over an upgrade.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: "charts", test: /node_modules\/(recharts|d3-|victory-vendor|@reduxjs|immer|reselect|react-redux|decimal\.js)/ },
            { name: "platform", test: /node_modules\/(@tanstack|@trpc|radix-ui|@radix-ui|cmdk|zod)/ },
          ],
        },
      },
    },
  },
});
