import { readFileSync, writeFileSync } from "node:fs";
import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import {
  RESTRICTION_NAMES,
  RESTRICTIONS,
  type RestrictionKind,
  type RestrictionName,
  recordOfRestrictions,
} from "@manifold-gateway/store/restrictions";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restrictionsOf } from "../../apps/server/src/commands/restrictions.ts";
import { toRestrictions, typedOf, wordsOf } from "../../packages/console/web/src/ui/restriction-values.ts";
import { rules } from "../../packages/gateway/src/access/restriction-rules.ts";
import { statusOfCode } from "../../packages/gateway/src/http/codes.ts";

const PAGE = new URL("../../docs/accounts.md", import.meta.url);
const PART = /(?<=^<!-- restrictions -->\n)[\s\S]*?(?=^<!-- \/restrictions -->$)/m;

/** The table on the page about accounts. */
function tableOf(): string {
  const rows = RESTRICTION_NAMES.map((name) => {
    const row = RESTRICTIONS[name];
    const rule = rules[name];
    const choices = "of" in row ? ` (${row.of.map((one) => `\`${one}\``).join(", ")})` : "";
    const value = `${row.meaning.replaceAll("*", "`*`")}${choices}: \`${JSON.stringify(row.example).replaceAll(",", ", ")}\``;
    return `| \`${name}\` | ${value} | ${"code" in rule ? `\`${statusOfCode(rule.code)}\` \`${rule.code}\`` : "nothing"} |`;
  });
  return ["\n| `restrictions` | | refused with |", "|---|---|---|", ...rows, "\n"].join("\n");
}

it("docs/accounts.md has the table of restrictions (UPDATE_DOCS=1 writes it anew)", () => {
  const page = readFileSync(PAGE, "utf8");
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(PART, tableOf));
  expect(PART.exec(readFileSync(PAGE, "utf8"))?.[0]).toBe(tableOf());
});

const WRITTEN: Record<RestrictionKind, (name: RestrictionName) => fc.Arbitrary<unknown>> = {
  count: () => fc.integer({ min: 1, max: 1_000_000_000 }),
  list: (name) =>
    fc.array(fc.constantFrom(...[RESTRICTIONS[name].example].flat()), { minLength: 1, maxLength: 5 }),
  choices: (name) => {
    const row = RESTRICTIONS[name];
    return fc.subarray<string>("of" in row ? [...row.of] : [], { minLength: 1 });
  },
  // The console's field takes minutes.
  time: () => fc.integer({ min: 1, max: 4e7 }).map((minutes) => new Date(minutes * 60_000).toISOString()),
};

describe.each(RESTRICTION_NAMES)("the restriction %s", (name) => {
  const { kind, example, label } = RESTRICTIONS[name];
  const values = fc.oneof(fc.constant(example), WRITTEN[kind](name));
  const stored = (value: unknown) => toRestrictionsChange(restrictionsField.parse({ [name]: value }));

  it(`${name} is the same from the command line as from the API, and none lifts it`, () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(restrictionsOf({ [name]: String(value) })).toEqual(stored(value));
      }),
    );
    expect(restrictionsOf({ [name]: "none" })).toEqual({ [name]: null });
  });

  it(`${name} is the same after its form in the console was sent unchanged`, () => {
    const nothing = recordOfRestrictions(() => null);
    fc.assert(
      fc.property(WRITTEN[kind](name), (value) => {
        const sent = toRestrictions(typedOf(restrictionsField.parse({ [name]: value }) as never));
        expect(toRestrictionsChange(restrictionsField.parse(sent))).toEqual({ ...nothing, ...stored(value) });
      }),
    );
    expect(toRestrictions(typedOf())).toEqual(nothing);
  });

  it(`${name} is in the summary of a key in the console`, () => {
    const words = wordsOf({ restrictions: { [name]: example } });
    expect(words).toContain(kind === "count" ? `${example} ${label}` : [example].flat().join(", "));
  });
});
