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
import { byCommand, type Call, type Command, fieldOf, misused, withStore } from "./command.ts";
import { everyAccount, findAccount } from "./lookup.ts";

const usage = [
  ["create NAME [--id ID]", "make an account"],
  ["list", "list the accounts"],
  ["credit ACCOUNT USD [--kind writeoff] [--reference REF]", "add credit, once for each reference"],
  ["refund ACCOUNT GENERATION [USD]", "give its charge back, or a part of it, once"],
  ["ledger ACCOUNT", "list its movements of credit, newest first"],
  ["password ACCOUNT [--login NAME]", "set how it signs in; the password is read from standard input"],
] as const;

const PAGE = 100;

type Action = (store: Store, words: string[], call: Call) => Promise<void>;

const show = ({ print }: Call, value: object): void => print(JSON.stringify(value));

const actions: Record<string, Action> = {
  async create(store, [word], call) {
    if (!word) throw misused({ usage }, "accounts");
    const { id: wish = `acc_${randomUUID().replaceAll("-", "")}` } = call.options;
    const name = fieldOf("NAME", nameField, word);
    const id = fieldOf("--id", accountIdField, wish);
    if (await store.accounts.get(id)) throw new ConfigError(`there is an account with the id '${id}'`);
    const by = byCommand();
    show(call, toAccount(await store.accounts.ensure({ id, name, at: by.at, by })));
  },
  async list(store, _, call) {
    for await (const account of everyAccount(store)) show(call, toAccount(account));
  },
  async credit(store, [word, usd], call) {
    if (!word || !(Number(usd) > 0)) throw misused({ usage }, "accounts");
    const amount = fieldOf("USD", amountField, Number(usd));
    const { kind = "topup", reference: wish = `credit_${randomUUID()}` } = call.options;
    if (kind !== "topup" && kind !== "writeoff") throw new ConfigError("--kind is topup or writeoff");
    const reference = fieldOf("--reference", referenceField, wish);
    const { id } = await findAccount(store, word);
    const by = byCommand();
    const movement = { accountId: id, amount: toMicro(amount), kind, reference, at: by.at, by } as const;
    const credited = await store.accounts.credit(movement).catch((error: unknown) => {
      throw error instanceof ReferenceTaken ? new ConfigError(error.message) : error;
    });
    const balance = toUsd((await findAccount(store, id)).balance);
    show(call, { id, creditBalance: balance, reference, credited });
  },
  async refund(store, [word, generationId, usd], call) {
    if (!word || !generationId || (usd !== undefined && !(Number(usd) > 0)))
      throw misused({ usage }, "accounts");
    const { id: accountId } = await findAccount(store, word);
    const wish = usd === undefined ? {} : { amount: toMicro(fieldOf("USD", amountField, Number(usd))) };
    const { amount, isNew } = await refundCharge(store, {
      accountId,
      generationId,
      by: byCommand(),
      ...wish,
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
  async ledger(store, [word], call) {
    if (!word) throw misused({ usage }, "accounts");
    const { id } = await findAccount(store, word);
    for (let offset = 0; ; offset += PAGE) {
      const { results } = await store.ledger.list(id, { offset, limit: PAGE });
      for (const movement of results) show(call, toMovement(movement));
      if (results.length < PAGE) return;
    }
  },
  async password(store, [word], call) {
    if (!word) throw misused({ usage }, "accounts");
    const account = await findAccount(store, word);
    const wish = call.options.login;
    const login = wish === undefined ? (account.login ?? account.name) : fieldOf("--login", loginField, wish);
    const password = fieldOf("the password", passwordField, await call.read());
    const hash = await hashPassword(password);
    const by = byCommand();
    const done = await store.accounts.setPassword({ id: account.id, login, hash, at: by.at, by });
    if (done === "taken") throw new ConfigError(`another account has the login '${login}'`);
    show(call, { id: account.id, login });
  },
};

export const accounts: Command = {
  usage,
  async run(call) {
    const [name = "", ...words] = call.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw misused({ usage }, "accounts");
    await withStore(call, (store) => action(store, words, call));
    return 0;
  },
};
