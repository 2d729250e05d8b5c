import { afterAll, beforeAll } from "vitest";
import { KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";
import { type Clients, clientsOf } from "../../system/sdk/stage.ts";

/** A gateway with all media for the length of a test file, and the official clients of it. */
export function stage(): Clients & { h: Stage } {
  const set = {} as Clients & { h: Stage };
  beforeAll(async () => {
    const h = await startMediaStage();
    Object.assign(set, { h, ...clientsOf(h.origin, KEY) });
  });
  afterAll(() => set.h.close());
  return set;
}
