import type { Store } from "@turnwire/log";
import { afterAll, beforeAll, describe } from "vitest";
import { appendContract } from "./store-contract/append.ts";
import { attachmentContract } from "./store-contract/attachment.ts";
import type { StoreCapabilities, StoreFixture, StorePlace } from "./store-contract/fixture.ts";
import { leaseContract } from "./store-contract/lease.ts";
import { lifetimeContract } from "./store-contract/lifetime.ts";
import { modelContract } from "./store-contract/model.ts";
import { readContract } from "./store-contract/read.ts";
import { listContract, recordContract } from "./store-contract/record.ts";
import { retentionContract } from "./store-contract/retention.ts";
import { searchContract } from "./store-contract/search.ts";

export type { StoreCapabilities, StorePlace } from "./store-contract/fixture.ts";

/** The tests that every implementation of the store port must pass; call it at the top of a test file. */
export function storeContract(
  name: string,
  createPlace: () => Promise<StorePlace>,
  capabilities: StoreCapabilities,
): void {
  describe(`the ${name} store keeps the store contract`, () => {
    let place: StorePlace | undefined;
    let opened: Store | undefined;
    beforeAll(async () => {
      place = await createPlace();
      opened = await place.open();
    });
    afterAll(async () => {
      await opened?.close();
      await place?.remove();
    });
    const store = () => {
      if (!opened) throw new Error(`the ${name} store did not open`);
      return opened;
    };
    const fixture: StoreFixture = { store, createPlace, capabilities };
    appendContract(fixture);
    readContract(fixture);
    attachmentContract(fixture);
    leaseContract(fixture);
    recordContract(fixture);
    listContract(fixture);
    retentionContract(fixture);
    lifetimeContract(fixture);
    modelContract(fixture);
    searchContract(fixture);
  });
}
