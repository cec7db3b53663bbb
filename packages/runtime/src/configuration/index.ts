export { readInside } from "./bounded-file.ts";
export {
  hooksIn,
  isMarkdown,
  isSkill,
  readByPath,
  readInstructions,
  readNamed,
  readSkill,
  serversIn,
} from "./definition.ts";
export type { ConfigurationRule, ConfigurationSources, Definition } from "./rule.ts";
export {
  type CoveredFile,
  type Finding,
  type RuleSet,
  type Scan,
  scanProject,
  scanUser,
} from "./scan.ts";
