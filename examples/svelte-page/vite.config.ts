import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  // Only inside this repository: takes the packages as they are in `src`, without a build.
  resolve: { conditions: ["@turnwire/source", ...defaultClientConditions] },
});
