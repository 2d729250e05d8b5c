import { expect, it } from "vitest";
import { countLocks } from "../databases/locks.ts";
import { makePostgres } from "../databases/postgres.ts";
import { makeCaller, NOW } from "../fixtures.ts";

it("a file is not removed that a batch takes at the same moment", async () => {
  const database = await makePostgres();
  const store = await database.open();
  const caller = await makeCaller(store);
  for (const id of ["first", "second"])
    await store.files.add(
      {
        ...{ id, accountId: caller.accountId, purpose: "batch", name: "a.jsonl", bytes: 9, key: `k/${id}` },
        createdAt: NOW,
      },
      1_000,
    );
  const batch = {
    ...{ id: "batch", ...caller, surface: "chatstyle", endpoint: "/v1/x", input: "first" },
    ...{ terms: {}, createdAt: NOW, expiresAt: NOW + 1 },
  };
  expect(await store.batches.create(batch, { most: 9 })).toBe("created");
  // As the creation of a batch does, which is not committed yet.
  await database.execute(
    "BEGIN; SELECT id FROM files WHERE id = 'second' FOR NO KEY UPDATE; UPDATE batches SET input_file = 'second'",
  );
  const removed = store.files.remove({ id: "second", accountId: caller.accountId });
  const waiting = () => countLocks(database, "NOT granted AND locktype = 'transactionid'");
  await expect.poll(waiting).toBe(1);
  await database.execute("COMMIT");
  expect(await removed).toBe("in use");
  expect(await store.files.get({ id: "second", accountId: caller.accountId })).toBeDefined();
  await store.close();
  await database.drop();
});
