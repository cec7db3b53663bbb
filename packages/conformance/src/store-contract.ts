import type { Store } from "@turnwire/log";
import { afterAll, beforeAll, describe } from "vitest";
import { appendContract } from "./store-contract/append.ts";
import { attachmentContract } from "./store-contract/attachment.ts";
import type { StoreCapabilities, StoreFixture, StorePlace } from "./store-contract/fixture.ts";
import { deletionContract } from "./store-contract/deletion.ts";
import { hintContract } from "./store-contract/hint.ts";
import { holderContract } from "./store-contract/holder.ts";
import { holderModelContract } from "./store-contract/holder-model.ts";
import { inboxContract } from "./store-contract/inbox.ts";
import { leaseContract } from "./store-contract/lease.ts";
import { lifetimeContract } from "./store-contract/lifetime.ts";
import { modelContract } from "./store-contract/model.ts";
import { orphanContract } from "./store-contract/orphan.ts";
import { readContract } from "./store-contract/read.ts";
import { listContract, recordContract } from "./store-contract/record.ts";
import { retentionContract } from "./store-contract/retention.ts";
import { searchContract } from "./store-contract/search.ts";
import { transcriptContract } from "./store-contract/transcript.ts";

import { valueContract } from "./store-contract/value.ts";

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
    holderContract(fixture);
    holderModelContract(fixture);
    orphanContract(fixture);
    inboxContract(fixture);
    hintContract(fixture);
    valueContract(fixture);
    recordContract(fixture);
    listContract(fixture);
    retentionContract(fixture);
    deletionContract(fixture);
    lifetimeContract(fixture);
    modelContract(fixture);
    searchContract(fixture);
    if (capabilities.transcripts) transcriptContract(fixture);
  });
}
