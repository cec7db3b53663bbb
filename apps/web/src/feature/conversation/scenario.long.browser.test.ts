import { mainScenarios, testScenarios } from "../../test-support/scenario.ts";

testScenarios((name) => !mainScenarios.includes(name));
