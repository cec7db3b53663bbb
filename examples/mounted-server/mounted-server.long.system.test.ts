import { testMounted } from "./test-support/mounted.ts";

testMounted("fastify", "hono");
