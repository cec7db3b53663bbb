import { join } from "node:path";
import { buildSite } from "./site/build.ts";
import { repository } from "./site/page-list.ts";

// `npm run site`: the documentation site in docs/site/dist/site, to be served as static files.

const output = join(repository, "docs/site/dist/site");
await buildSite(output, (text) => console.log(text));
console.log(`The site is in ${output}.`);
