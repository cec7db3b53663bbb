import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // Only inside this repository: takes the packages as they are in `src`, without a build.
  resolve: { conditions: ["@turnwire/source", ...defaultClientConditions] },
  build: { target: "es2022" },
});
