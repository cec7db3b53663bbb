import { expect, onTestFinished, test } from "vitest";
import {
  patientPolicy,
  noContainment,
  skipText,
} from "../../../runtime/src/test-support/confined-project.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ContainedLife } from "../test-support/contained-life.ts";
import { claudeCli } from "./runtime.ts";
import { openCliHost } from "./test-support/cli-host.ts";

const place = useClaudePlace();

test.skipIf(noContainment !== undefined)(
  `a CLI that Turnwire starts itself runs commands where the kernel holds them${skipText}`,
  async () => {
    const life = new ContainedLife(place);
    const before = life.project.everything();
    const runtime = claudeCli({ env: { ...place.env, IS_SANDBOX: "1" } });
    const policy = { current: () => ({ policy: patientPolicy }) };
    const host = openCliHost(place, { runtimes: [runtime], policy });
    onTestFinished(() => host.close());
    const modes = { permission_mode: "bypassPermissions", policy_mode: "believing-planner" };
    const { decisions, leaks } = await life.run(host, modes);
    expect([leaks, life.project.everything()]).toEqual([[], before]);
    expect(decisions).toContainEqual(
      expect.objectContaining({ verdict: "allow", containment: "without_network" }),
    );
  },
);
