import * as z from "zod";

/** The tools by which agents use the UI; every runtime has them by these names, whatever its agent calls them. */
export const UiTool = z
  .enum(["render_component", "remove_component", "ask_user", "update_state", "read_state"])
  .meta({ id: "UiTool" });
export type UiTool = z.infer<typeof UiTool>;
