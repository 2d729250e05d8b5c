import type { Store } from "@manifold-gateway/store";
import { afterAll, beforeAll } from "vitest";
import type { Database } from "../databases/database.ts";

/** A store on the context's database, open while its tests run. */
export function useStore(database: () => Database): () => Store {
  let store: Store;
  beforeAll(async () => {
    store = await database().open();
  });
  afterAll(() => store?.close());
  return () => store;
}
