import { openSharedPostgres } from "../../server/src/4-transport/test-support/shared-postgres.ts";
import { describeTwoRelays } from "./test-support/two-relays.ts";

describeTwoRelays("Postgres", openSharedPostgres);
