import { openSharedPostgres } from "../test-support/shared-postgres.ts";
import { describeTwoRelays } from "../test-support/two-relays.ts";

describeTwoRelays("Postgres", openSharedPostgres);
