import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

/** Where `npm run dev` finds the server. */
const server = process.env["TURNWIRE_URL"] ?? "http://127.0.0.1:4747";

/** In development the app is always at the root; the built app learns from the server where it is. */
const rootBase: Plugin = {
  name: "root-base",
  apply: "serve",
  transformIndexHtml: {
    order: "pre",
    handler: (html) =>
      html.replace('<base href="./" />', '<base href="/" />').replace("./src/main", "/src/main"),
  },
};

/** Compressed once here, so that the server never compresses. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      const source = file.type === "chunk" ? file.code : file.source;
      if (!/\.(js|css)$/.test(file.fileName)) continue;
      const bytes = Buffer.from(source);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      this.emitFile({
        type: "asset",
        fileName: `${file.fileName}.br`,
        source: brotliCompressSync(bytes, { params }),
      });
      this.emitFile({
        type: "asset",
        fileName: `${file.fileName}.gz`,
        source: gzipSync(bytes, { level: 9 }),
      });
    }
  },
};

export default defineConfig({
  base: "./",
  plugins: [react(), rootBase, compressed],
  resolve: { conditions: ["@turnwire/source", ...defaultClientConditions] },
  // Inlined files would be data: URLs, which the policy allows for images only.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What counts is what a first visit loads, compressed: first-load.test.ts holds it.
    chunkSizeWarningLimit: 1000,
    // Where the build spends its time is of no interest to whoever starts the server.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: {
    proxy: Object.fromEntries(
      [
        "sessions",
        "watch",
        "runtimes",
        "history",
        "paths",
        "health",
        "login",
        "logins",
        "logout",
      ].map((path) => [
        `/${path}`,
        { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
});
