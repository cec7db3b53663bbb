import { testKilledAppender } from "./test-support/killed-appender.ts";

testKilledAppender([1, 40, 150, 400]);
