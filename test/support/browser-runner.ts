import { inject, TestRunner, type SerializedConfig } from "vitest";

/** Matches the name of no test. */
const nothing = /(?!)/;

/** Skips every test, and the hooks around it, where there is no browser to test with. */
export default class BrowserRunner extends TestRunner {
  constructor(config: SerializedConfig) {
    super(inject("hasChromium") ? config : { ...config, testNamePattern: nothing });
  }
}
