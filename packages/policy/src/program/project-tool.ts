import { literalText } from "../shell/shell-word.ts";
import { found, type Program } from "./call.ts";
import { checkLooseArguments } from "./loose-argument.ts";

/**
 * Tools of a project: they run its code, and nothing that an argument says, but for the options
 * below. The tool itself is a file of the project, so even its version is what the project says.
 */
const tools = [
  "tsc vitest jest mocha ava tap eslint oxlint oxfmt prettier biome stylelint knip playwright cypress vite webpack rollup esbuild parcel next nuxt astro svelte-check svelte-kit turbo changeset lint-staged madge depcheck typedoc tsup swc babel storybook vue-tsc ng nest prisma drizzle-kit publint attw size-limit cspell markdownlint commitlint",
  "pytest ruff mypy black isort flake8 pylint pyright tox nox bandit coverage django-admin alembic",
  "rustfmt gofmt goimports golangci-lint staticcheck clang-format ctest ninja cmake rspec rubocop rake phpunit phpcs shellcheck hadolint yamllint actionlint",
].flatMap((names) => names.split(" "));

/** Options and words that make a tool run or load what they name. */
const running =
  /^(?:-e|-p|--eval|--print|-c|--exec.*|--command|--run|--require|-r|--import|--loader|--experimental-loader|--globalSetup.*|--resolver|--plugin.*|--rulesdir|--resolve-plugins-relative-to|--ui|--open|-toolexec.*|-vettool.*|-E|-P|--node-arg.*|--inspect.*|-D.*COMMAND.*|--debugger.*|--pdb.*|-i|--editor.*|--shell.*|--set|--init-hook.*|--load-plugins|--python-executable|--build-and-test|--build-.*program|--test-command|-SP?|exec|x|dlx|publish|deploy|login|shell|--output-file.*|--outputFile.*)$/;

export function isProjectTool(name: string): boolean {
  return projectTools.has(name) || /^(?:tsx|ts-node)$/.test(name);
}

const tool: Program = (call) => {
  const texts = call.args.map((word) => literalText(word));
  const dangerous = texts.find(
    (text) => text !== undefined && running.test(text.split("=")[0] ?? ""),
  );
  const isException =
    (/^(?:pytest|eslint|ruff|vitest|jest|mocha|prettier|mypy|rspec|tsc|vue-tsc|playwright|cypress|webpack)$/.test(
      call.name,
    ) &&
      /^-[pcri]$/.test(dangerous ?? "")) ||
    (call.name === "cmake" && dangerous === "-S");
  if (dangerous !== undefined && !isException) {
    found(call, "opaque", `${call.name} ${dangerous} can run or write anything`);
  }
  const plugin = texts[texts.indexOf("-p") + 1];
  if (call.name === "pytest" && texts.includes("-p") && plugin?.startsWith("no:") !== true) {
    found(call, "opaque", "a plugin of pytest can run anything");
  }
  checkLooseArguments(call, call.args);
  found(call, "project_code", `${call.name} runs code of the project`);
  return undefined;
};

export const projectTools: ReadonlyMap<string, Program> = new Map(
  tools.map((name): [string, Program] => [name, tool]),
);
