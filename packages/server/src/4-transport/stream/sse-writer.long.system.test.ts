import { testStalledReaders, testVisits } from "../test-support/stream-load.ts";

testStalledReaders(100);
testVisits(100);
