import fc from "fast-check";
import { expect, it } from "vitest";
import { toNarrower, toRequests } from "../../packages/console/web/src/usage/link.ts";
import { BUCKETS, rangeIn } from "../../packages/console/web/src/usage/time.ts";

const AT = "2026-11-02T00:00:00.000Z";
const params = fc.record(
  { days: fc.constant("30"), provider: fc.string({ minLength: 1 }) },
  { requiredKeys: [] },
);
const figure = fc.record(
  {
    bucket: fc.constantFrom(...BUCKETS),
    at: fc.constant(AT),
    by: fc.constantFrom("account", "provider", "model", "tag:team"),
    name: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ["bucket"] },
);
const queryOf = (address: string) => Object.fromEntries(new URL(address, "http://console").searchParams);

it("leads from a figure of all accounts to a narrower one, until to its requests", () => {
  fc.assert(
    fc.property(params, figure, (before, of) => {
      const seen = new Set<string>();
      let address = toNarrower(before, of);
      // What is followed again and again ends at requests.
      while (address.startsWith("/console/all-usage")) {
        expect(seen.has(address)).toBe(false);
        seen.add(address);
        address = toNarrower(queryOf(address), { ...of, bucket: "hour" });
      }
      const { of: whose, ...query } = queryOf(address);
      expect(whose).toBe("all");
      if (of.by === "provider" && of.name) expect(query.provider).toBe(of.name);
      else if (before.provider) expect(query.provider).toBe(before.provider);
    }),
  );
});

it("leads from an hour to the requests of that hour, and of an account to its own alone", () => {
  const figure = { at: AT, bucket: "hour", by: "provider", name: "one" } as const;
  const hour = { from: AT, to: "2026-11-02T01:00:00.000Z" };
  expect(queryOf(toNarrower({ account: "acc" }, figure))).toEqual({
    ...{ of: "all", account: "acc", provider: "one" },
    ...hour,
  });
  expect(rangeIn(hour)).toEqual(hour);
  expect(queryOf(toRequests({ account: "acc", model: "m" }, { at: AT, bucket: "hour" }))).toEqual({
    ...{ model: "m" },
    ...hour,
  });
});

it("leads from a bucket of which the range has a part to the requests of that part, and from the whole to all", () => {
  const range = { from: "2026-11-02T13:00:00.000Z", to: "2026-11-04T13:00:00.000Z" };
  const of = (figure: object) => queryOf(toRequests({}, { ...range, bucket: "day", ...figure }));
  expect(of({ at: AT })).toEqual({ from: range.from, to: "2026-11-03T00:00:00.000Z" });
  expect(of({ at: "2026-11-04T00:00:00.000Z" })).toEqual({ from: "2026-11-04T00:00:00.000Z", to: range.to });
  expect(of({})).toEqual(range);
  const narrower = queryOf(toNarrower({ days: "2" }, { ...range, at: AT, bucket: "day" }));
  expect(narrower).toEqual({ from: range.from, to: "2026-11-03T00:00:00.000Z" });
});

it("leads from a share of errors to the failed and refused requests, and from those of one status to it", () => {
  const statusOf = (params: Record<string, string>, figure = {}) =>
    queryOf(toRequests(params, { at: AT, bucket: "hour", ...figure })).status;
  expect(statusOf({ measure: "errors" })).toBe("failed,refused");
  expect(statusOf({ measure: "errors", status: "failed" })).toBe("failed");
  expect(statusOf({ measure: "refused" }, { by: "status", name: "refused" })).toBe("refused");
  expect(statusOf({ measure: "spend" })).toBeUndefined();
});
