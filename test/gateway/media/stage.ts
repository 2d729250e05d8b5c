import { afterAll, beforeAll } from "vitest";
import { type Clients, clientsOf } from "../../system/sdk/stage.ts";
import { type Harness, KEY, startHarness } from "./harness.ts";

/** A gateway with all media for the length of a test file, and the official clients of it. */
export function stage(): Clients & { h: Harness } {
  const set = {} as Clients & { h: Harness };
  beforeAll(async () => {
    const h = await startHarness();
    Object.assign(set, { h, ...clientsOf(h.origin, KEY) });
  });
  afterAll(() => set.h.close());
  return set;
}
