import { randomUUID } from "node:crypto";
import { Refusal } from "@manifold-gateway/gateway";
import {
  accountIdField,
  amountField,
  hashPassword,
  loginField,
  nameField,
  passwordField,
  referenceField,
  refundCharge,
  toAccount,
  toMovement,
} from "@manifold-gateway/gateway/admin";
import { ReferenceTaken, type Store, toMicro, toUsd } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";
import { byCommand, fieldOf, onStore } from "./command.ts";
import { accountsNamed, everyAccount, findAccount } from "./lookup.ts";
import { Misuse } from "./misuse.ts";
import { show, showAll } from "./show.ts";

const PAGE = 100;

const COLUMNS = ["id", "name", "isActive", "creditBalance", "held", "login", "createdAt"];
const MOVEMENTS = ["createdAt", "amount", "kind", "id"];

const toAmount = (word: string | undefined): number => {
  if (!(Number(word) > 0)) throw new Misuse("USD: must be an amount in US dollars above 0");
  return toMicro(fieldOf("USD", amountField, Number(word)));
};

async function* listedAccounts(store: Store) {
  for await (const account of everyAccount(store)) yield toAccount(account);
}

async function* movementsOf(store: Store, id: string) {
  for (let offset = 0; ; offset += PAGE) {
    const { results } = await store.ledger.list(id, { offset, limit: PAGE });
    yield* results.map(toMovement);
    if (results.length < PAGE) return;
  }
}

export const accounts = onStore({
  async create(store, call) {
    const [word] = call.words;
    const { id: requestedId = `acc_${randomUUID().replaceAll("-", "")}` } = call.options;
    const name = fieldOf("NAME", nameField, word);
    const id = fieldOf("--id", accountIdField, requestedId);
    if (await store.accounts.get(id)) throw new ConfigError(`there is an account with the id '${id}'`);
    // Commands name accounts by their names, which a second one would make ambiguous.
    const [same] = call.options.id === undefined ? await accountsNamed(store, name) : [];
    if (same)
      throw new ConfigError(
        `there is an account named '${name}', ${same.id}; with an --id there may be another of this name`,
      );
    const by = byCommand();
    show(call, toAccount(await store.accounts.ensure({ id, name, at: by.at, by })));
  },
  list: (store, call) => showAll(call, COLUMNS, listedAccounts(store)),
  async credit(store, call) {
    const [word = "", usd] = call.words;
    const amount = toAmount(usd);
    const { kind = "topup", reference: requestedReference = `credit_${randomUUID()}` } = call.options;
    if (kind !== "topup" && kind !== "writeoff") throw new Misuse("--kind is topup or writeoff");
    const reference = fieldOf("--reference", referenceField, requestedReference);
    const { id } = await findAccount(store, word);
    const by = byCommand();
    const movement = { accountId: id, amount, kind, reference, at: by.at, by } as const;
    const credited = await store.accounts.credit(movement).catch((error: unknown) => {
      throw error instanceof ReferenceTaken ? new ConfigError(error.message) : error;
    });
    const balance = toUsd((await findAccount(store, id)).balance);
    show(call, { id, creditBalance: balance, reference, credited });
  },
  async refund(store, call) {
    const [word = "", generationId = "", usd] = call.words;
    const amountOption = usd === undefined ? {} : { amount: toAmount(usd) };
    const { id: accountId } = await findAccount(store, word);
    const { amount, isNew } = await refundCharge(store, {
      accountId,
      generationId,
      by: byCommand(),
      ...amountOption,
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? new ConfigError(error.message) : error;
    });
    const balance = toUsd((await findAccount(store, accountId)).balance);
    show(call, {
      id: accountId,
      creditBalance: balance,
      generationId,
      amount: toUsd(amount),
      refunded: isNew,
    });
  },
  async ledger(store, call) {
    const [word = ""] = call.words;
    const { id } = await findAccount(store, word);
    await showAll(call, MOVEMENTS, movementsOf(store, id));
  },
  async password(store, call) {
    const [word = ""] = call.words;
    const account = await findAccount(store, word);
    const requestedLogin = call.options.login;
    const login =
      requestedLogin === undefined
        ? (account.login ?? account.name)
        : fieldOf("--login", loginField, requestedLogin);
    const password = fieldOf("the password", passwordField, await call.read("line"));
    const hash = await hashPassword(password);
    const by = byCommand();
    const done = await store.accounts.setPassword({ id: account.id, login, hash, at: by.at, by });
    if (done === "taken") throw new ConfigError(`another account has the login '${login}'`);
    show(call, { id: account.id, login });
  },
});
