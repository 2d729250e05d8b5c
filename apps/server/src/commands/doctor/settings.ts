import { doubtsOf } from "../../config/doubts/index.ts";
import { unknownAccounts } from "../../config/doubts/references.ts";
import { storeUrl } from "../../config/store.ts";
import { openStore } from "../../host.ts";
import { type Case, type Check, isReadable, warn } from "./check.ts";

/** Reports settings that are probably not meant as they are. */
export const settings: Check = async (of) =>
  [...doubtsOf(of.config), ...(await ofAccounts(of))].map(({ line }) =>
    warn("settings", line, "correct it, unless it is meant"),
  );

/** Names of accounts that no account has, if the database can be asked. */
async function ofAccounts({ config, database }: Case) {
  if (!isReadable(database)) return [];
  const store = await openStore(storeUrl(config.store));
  try {
    return await unknownAccounts(config, store);
  } finally {
    await store.close();
  }
}
