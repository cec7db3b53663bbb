import * as z from "zod";
import { CatalogEntry } from "../part/catalog.ts";
import { by } from "./by.ts";

export const catalogEventData = {
  catalog_updated: z
    .object({
      entries: z
        .array(CatalogEntry)
        .describe("What was added; an entry takes the place of an earlier one of its name."),
      by,
    })
    .describe("More components can be shown."),
};
