import { openSharedPostgres } from "./test-support/shared-postgres.ts";
import { describeTwoServersAtOnce } from "./test-support/two-servers-at-once.ts";
import { describeTwoServers } from "./test-support/two-servers.ts";

describeTwoServers("Postgres", openSharedPostgres);
describeTwoServersAtOnce("Postgres", openSharedPostgres);
