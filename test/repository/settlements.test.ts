import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const sources = globSync("packages/store/src/**/*.ts", { cwd: ROOT }).map((file) => ({
  file: file.replace("packages/store/src/", ""),
  text: readFileSync(join(ROOT, file), "utf8"),
}));

test.each([
  { what: "the end of a generation", pattern: /assignmentsOf\("end"/, others: [] },
  {
    what: "a movement of the ledger",
    pattern: /INTO transfers|insertInto\("transfers"\)/,
    others: ["accounts/accounts.ts", "money/refund.ts"],
  },
  {
    what: "a balance",
    pattern: /SET balance = |\bbalance: row\("balance"/,
    others: ["accounts/accounts.ts", "money/refund.ts"],
  },
  { what: "a key's spending", pattern: /SET spent = /, others: [] },
])(
  "$what is written by the settlement's statements, apart from credit and refunds",
  ({ pattern, others }) => {
    const writers = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
    expect(writers.sort()).toEqual([...others, "money/settlement.ts"].sort());
  },
);
