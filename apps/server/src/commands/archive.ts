import { columnsOf, FORMS, toExported } from "@manifold-gateway/gateway/admin";
import {
  type ArchivedMonth,
  type ArchiveTerms,
  type BillLine,
  type Store,
  toUsd,
} from "@manifold-gateway/store";
import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { openMedia } from "../media-store.ts";
import type { Call, Run } from "./call.ts";
import { byCommand, fieldOf, withStore } from "./command.ts";
import { findAccount } from "./lookup.ts";
import { show, showAll } from "./show.ts";

const MONTHS = ["month", "state", "records", "usdCost", "writtenAt", "removedAt", "sha256"];
const LINES = ["key", "model", "requests", "usdCost", "units"];
const MOVEMENTS = ["createdAt", "kind", "amount", "id"];
const NO_MONTH = "No month is archived.";
/** The records that are printed at a time. */
const PAGE = 500;

type Objects = ArchiveTerms["objects"];
type Work = (store: Store, objects: Objects, config: Config) => Promise<number>;

/** Runs work on the configured store and its files. */
const withFiles = (call: Call, work: Work): Promise<number> =>
  withStore(call, async (store, config) => {
    const media = await openMedia(config);
    try {
      return await work(store, media.options.objects, config);
    } finally {
      await media.close();
    }
  });

const monthField = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-01");

const iso = (at: number): string => new Date(at).toISOString();

const toRow = ({ cost, writtenAt, removedAt, ...month }: ArchivedMonth) => ({
  ...month,
  usdCost: toUsd(cost),
  writtenAt: iso(writtenAt),
  ...(removedAt !== undefined && { removedAt: iso(removedAt) }),
});

/** Prints each month as soon as it is done: a month may take minutes. */
async function* rowsOf(...all: AsyncIterable<ArchivedMonth>[]) {
  for (const some of all) for await (const month of some) yield toRow(month);
}

const write: Run = (call) =>
  withFiles(call, async (store, objects, config) => {
    const { until, remove } = call.options;
    const { days } = config.archive;
    const month = until === undefined ? undefined : fieldOf("--until", monthField, until);
    const by = byCommand();
    const terms: ArchiveTerms = { objects, now: by.at, days, month, by };
    const steps = [store.archive.write(terms), ...(remove ? [store.archive.remove(terms)] : [])];
    const nothing = `Nothing to archive: a month is closed ${days} days after its end, and none is left that has records.`;
    await showAll(call, MONTHS, rowsOf(...steps), nothing);
    return 0;
  });

const list: Run = (call) =>
  withStore(call, async (store) => {
    await showAll(call, MONTHS, (await store.archive.list()).map(toRow), NO_MONTH);
    return 0;
  });

const verify: Run = (call) =>
  withFiles(call, async (store, objects) => {
    let isWrong = false;
    async function* results() {
      for await (const { month, records, error } of store.archive.verify(objects)) {
        isWrong ||= error !== undefined;
        yield { month, records, verdict: error ?? "ok" };
      }
    }
    await showAll(call, ["month", "records", "verdict"], results(), NO_MONTH);
    return isWrong ? 1 : 0;
  });

const read: Run = (call) =>
  withFiles(call, async (store, objects) => {
    const month = fieldOf("month", monthField, call.words[0]);
    const { account, generation, csv } = call.options;
    const accountId = account === undefined ? undefined : (await findAccount(store, account)).id;
    const filter = {
      ...(accountId !== undefined && { accountId }),
      ...(generation !== undefined && { id: generation }),
    };
    const names = { keyNames: new Map<string, string>(), isForOperator: true };
    const columns = columnsOf({ isForOperator: true, isOfAll: accountId === undefined });
    const form = csv ? FORMS.csv : FORMS.jsonl;
    const print = (text: string): void => {
      if (text !== "") call.print(text.replace(/\r?\n$/, ""));
    };
    print(form.head(columns));
    let page: ReturnType<typeof toExported>[] = [];
    const flush = (): void => {
      print(form.rows(page, columns));
      page = [];
    };
    for await (const record of store.archive.read(objects, month, filter))
      if (page.push(toExported(record, names)) === PAGE) flush();
    flush();
    return 0;
  });

const bill: Run = (call) =>
  withFiles(call, async (store, objects) => {
    const [word = "", named] = call.words;
    const month = fieldOf("month", monthField, named);
    const { id: accountId } = await findAccount(store, word);
    const { lines, requests, cost, movements } = await store.archive.bill(objects, { accountId, month });
    const names = new Map((await store.keys.list(accountId)).map(({ id, name }) => [id, name]));
    const keyOf = ({ keyId }: BillLine) => (keyId === undefined ? "console" : (names.get(keyId) ?? keyId));
    await showAll(
      call,
      LINES,
      lines.map((line) => ({
        ...{ key: keyOf(line), model: line.model, requests: line.requests, usdCost: toUsd(line.cost) },
        units: line.units,
      })),
    );
    await showAll(
      call,
      MOVEMENTS,
      movements.map(({ id, kind, amount, createdAt }) => ({
        ...{ createdAt: iso(createdAt), kind, amount: toUsd(amount), id },
      })),
    );
    show(call, { account: accountId, month, requests, usdCost: toUsd(cost) });
    return 0;
  });

export const archive = { write, list, verify, read, bill };
