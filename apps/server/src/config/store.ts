import { problemOfPostgres, type ReaderOptions } from "@manifold-gateway/store";
import { z } from "zod";
import { type Problem, problemAt } from "./problem.ts";

const POSTGRES = /^postgres(ql)?:\/\//;

/** Adds what is wrong with an address of Postgres to the findings. */
const checkAddress = (text: string, context: z.RefinementCtx): void => {
  const message = POSTGRES.test(text) ? problemOfPostgres(text) : undefined;
  if (message !== undefined) context.addIssue({ code: "custom", message });
};

const address = z
  .string()
  .regex(/^(sqlite:|postgres(ql)?:\/\/)/, "must begin with sqlite: or postgres://")
  .regex(/^(?!sqlite:($|.*\?))/, "must be sqlite:FILE, without options")
  .superRefine(checkAddress);

/** The database: its address, or an object with further settings. */
export const store = z
  .union([
    address,
    z.strictObject({
      url: address.describe("The address of the database: sqlite:FILE or postgres://…"),
      reader: z
        .string()
        .regex(POSTGRES, "must begin with postgres://")
        .superRefine(checkAddress)
        .optional()
        .describe("The address of a replica, from which lists, sums and exports come."),
      readerDelay: z
        .int()
        .min(1_000)
        .max(3_600_000)
        .default(10_000)
        .describe("The most milliseconds that the replica may be behind; the primary is read otherwise."),
    }),
  ])
  .default("sqlite:./data/manifold.db");

type StoreSetting = z.output<typeof store>;

export const storeUrl = (setting: StoreSetting): string =>
  typeof setting === "string" ? setting : setting.url;

/** The replica that reads for lists, if there is one. */
export const readerOf = (setting: StoreSetting): ReaderOptions | undefined =>
  typeof setting === "string" || setting.reader === undefined
    ? undefined
    : { url: setting.reader, maxDelayMs: setting.readerDelay };

export function problemsOfStore(setting: StoreSetting): Problem[] {
  if (readerOf(setting) === undefined || POSTGRES.test(storeUrl(setting))) return [];
  return [
    problemAt(["store", "reader"], "a replica reads what Postgres has, and store.url names another database"),
  ];
}
