import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type pg from "pg";
import { expect, test } from "vitest";
import type { Query, Work } from "../../../packages/store/src/engine/engine.ts";
import { drive } from "../../../packages/store/src/engine/postgres-drive.ts";

/** A connection that writes each statement by itself and answers it, and the writes that reach the socket. */
function makeConnection() {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk as string).join(" "));
      done();
    },
  });
  const query = async ({ text }: { text: string }) => {
    stream.write(text);
    await setImmediate();
    return { command: "SELECT", rowCount: 0, rows: [] };
  };
  return { client: { connection: { stream }, query } as unknown as pg.PoolClient, writes };
}

const statement = (sql: string): Query => ({ sql, parameters: [] });

test("statements that need no answer of each other share a write to the server", async () => {
  const { client, writes } = makeConnection();
  const work = function* (): Work<void> {
    yield [statement("a"), statement("b")];
    yield { ...statement("c"), isUnread: true };
    yield statement("d");
    yield statement("e");
  };
  await drive(client, work(), { unread: [] });
  expect(writes).toEqual(["a b", "c d", "e"]);
});
