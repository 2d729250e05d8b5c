import { StoreUnavailable } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { migrate } from "../../../packages/store/src/migrations/migrate.ts";
import { type Contents, createContents } from "../../../packages/store/src/requests/contents.ts";
import { defaultRecords } from "../../../packages/store/src/requests/record-options.ts";
import { makeReservation, NOW } from "../fixtures.ts";

let engine: Engine;
let contents: Contents;
let isAway: boolean;
let lines: { message: string; count: unknown }[];
beforeEach(async () => {
  isAway = false;
  lines = [];
  const log = {
    warn: (fields: { count?: unknown }, message: string) => {
      lines.push({ message, count: fields.count });
    },
  };
  engine = createSqliteEngine({ path: ":memory:" });
  await migrate(engine, NOW);
  const write: Engine["write"] = (work, options) =>
    isAway ? Promise.reject(new StoreUnavailable("it is away")) : engine.write(work, options);
  contents = createContents({ ...engine, write }, { records: defaultRecords, log });
});
afterEach(() => engine.close());

/** Keeps requests, of which each is a text of so many characters, and returns their records' references. */
const keep = (count: number, length: number) =>
  Array.from({ length: count }, () => {
    const { generation, ...rest } = makeReservation({ accountId: "acc" }, 5);
    contents.keep({ ...rest, generation: { ...generation, request: { text: "t".repeat(length - 11) } } });
    return { id: generation.id, account: "acc", at: rest.at };
  });
const found = async (refs: ReturnType<typeof keep>, by = contents) =>
  [...(await engine.read(() => by.of(refs))).keys()].sort();
const idsOf = (refs: ReturnType<typeof keep>) => refs.map(({ id }) => id).sort();

it("contents wait for a database that is away, and can be read meanwhile", async () => {
  isAway = true;
  const refs = keep(100, 2_000);
  await contents.flush();
  await contents.flush();
  expect(lines.map(({ message }) => message)).toEqual(["contents of requests not written"]);
  expect(await found(refs)).toEqual(idsOf(refs));
  isAway = false;
  await contents.flush();
  const stored = createContents(engine, { records: defaultRecords, log: undefined });
  expect(await found(refs, stored)).toEqual(idsOf(refs));
  isAway = true;
  keep(1, 2_000);
  await contents.close();
  expect(lines.slice(1)).toEqual([
    { message: "contents of requests not written", count: undefined },
    { message: "contents of requests lost", count: 1 },
  ]);
});

it("contents beyond what may wait are not kept, and are counted", async () => {
  isAway = true;
  const length = 64 * 1024;
  const refs = keep(200, length);
  await contents.flush();
  const waiting = await found(refs);
  expect(waiting).toEqual(idsOf(refs.slice(0, (8 * 1024 * 1024) / length)));
  isAway = false;
  await contents.flush();
  expect(await found(refs)).toEqual(waiting);
  expect(lines.at(-1)).toEqual({ message: "contents of requests lost", count: refs.length - waiting.length });
  await contents.close();
  expect(lines).toHaveLength(2);
});
