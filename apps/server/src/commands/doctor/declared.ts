import type { Declaration } from "@manifold-gateway/store";
import { mergeDeclarations } from "../../config/declarations.ts";
import { ConfigError } from "../../config/read.ts";
import { storeUrl } from "../../config/store.ts";
import { storedDeclarations } from "../command.ts";
import { type Case, type Check, fail, ok, warn } from "./check.ts";

/** Adds what the database declares to the configuration that later checks look at. */
export const declared: Check = async (of) => {
  const stored = await read(of);
  try {
    const { settings, omissions } = mergeDeclarations(of.base, stored);
    of.config = settings.config;
    const count = stored.length - omissions.length;
    return [
      ...(count > 0 ? [ok("declarations", `${count} in force, beside the configuration`)] : []),
      ...omissions.map(({ reasons }) =>
        warn("declarations", reasons.join("; "), "change or remove it: manifold catalog list"),
      ),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      fail("configuration", error.message, "correct the file, or add what it lacks: manifold catalog set"),
    ];
  }
};

/** The declarations of the database; none if it does not answer, which another check reports. */
const read = async ({ database, config }: Case): Promise<Declaration[]> =>
  database ? storedDeclarations(storeUrl(config.store)) : [];
