import { dialectContract } from "@turnwire/conformance";
import { native } from "../packages/wire/src/native/native.ts";
import { webkit, webkitWithPartialInput } from "../packages/wire-webkit/src/dialect/webkit.ts";

const inputs = [
  {
    input: { type: "permission_response", correlation_id: "p", behavior: "allow" },
    command: { type: "permission_response", correlation_id: "p", behavior: "allow" },
  },
  { input: { type: "interrupt" }, command: { type: "interrupt" } },
] as const;

dialectContract("native", {
  createDialect: () => native,
  inputs: [
    ...inputs,
    {
      input: { type: "steer", content: [{ type: "text", text: "left" }] },
      command: { type: "steer", content: [{ type: "text", text: "left" }] },
    },
  ],
});

for (const dialect of [webkit, webkitWithPartialInput]) {
  dialectContract(dialect.name, {
    createDialect: () => dialect,
    inputs: [
      ...inputs,
      { input: { type: "set_model" }, command: { type: "set_model", model: null } },
    ],
  });
}
