import { type MovedTable, moveToPostgres, problemOfPostgres } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";
import { storeUrl } from "../config/store.ts";
import type { Run } from "./call.ts";
import { findConfig } from "./command.ts";
import { Misuse } from "./misuse.ts";
import { showAll } from "./show.ts";

async function* rowsOf(tables: AsyncIterable<MovedTable>) {
  for await (const { table, rows } of tables) yield { table, rows };
}

export const move: Run = async (call) => {
  const [target = ""] = call.words;
  const store = storeUrl(findConfig(call).store);
  if (!store.startsWith("sqlite:"))
    throw new ConfigError("store: move copies a SQLite database, and the configuration names another");
  if (!/^postgres(ql)?:/.test(target))
    throw new Misuse(`${target}: an address as postgres://user@host:5432/database is expected`);
  const problem = problemOfPostgres(target);
  if (problem !== undefined) throw new Misuse(`the address to move to: ${problem}`);
  await showAll(call, ["table", "rows"], rowsOf(moveToPostgres(store.slice("sqlite:".length), target)));
  return 0;
};
