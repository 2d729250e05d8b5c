import fc from "fast-check";
import { expect, it } from "vitest";
import { CurrentConfig } from "../../../apps/server/src/config/current-config.ts";
import { waitingFor } from "../../../apps/server/src/config/current-settings.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import type { Config } from "../../../apps/server/src/config/schema.ts";

/** Configurations that differ in sections which a reload applies, and in others. */
const config = fc
  .record({
    grace: fc.integer({ min: 1, max: 9 }),
    models: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    limit: fc.nat(9),
  })
  .map(({ grace, models, limit }) =>
    parseConfig(
      {
        server: { grace },
        limits: { streams: limit + 1 },
        providers: { p: { protocol: "chatstyle", origin: "https://x.example" } },
        models: Object.fromEntries(
          models.map((id) => [id, { entries: [{ provider: "p", name: id, price: { input: 1 } }] }]),
        ),
      },
      {},
    ),
  );
const RELOADED: readonly string[] = ["providers", "models", "webhooks"];

it("the configuration in force has what a reload applies as it was read last, and the rest as at the start", () => {
  fc.assert(
    fc.property(config, fc.array(config, { maxLength: 4 }), (first, reloads) => {
      const current = new CurrentConfig({ config: first, env: { READ: "0" } });
      for (const [index, next] of reloads.entries())
        current.replace({ config: next, env: { READ: String(index + 1) } });
      const last = reloads.at(-1) ?? first;
      for (const section of Object.keys(first) as (keyof Config)[])
        expect(current.inForce[section]).toEqual((RELOADED.includes(section) ? last : first)[section]);
      expect([current.last.config, current.env]).toEqual([last, { READ: String(reloads.length) }]);
      const waiting = current
        .describe(false)
        .flatMap(({ path, pending }) => (pending === undefined ? [] : path));
      const changed = [
        ...(first.limits.streams === last.limits.streams ? [] : ["limits.streams"]),
        ...(first.server.grace === last.server.grace ? [] : ["server.grace"]),
      ];
      expect(waiting.sort()).toEqual(changed);
      expect(waitingFor(first, last, false).sort()).toEqual(changed);
      expect(waitingFor(first, last, true)).toEqual([]);
      // Without a file there is nothing else to read.
      expect(current.readAgain().config).toBe(current.inForce);
    }),
  );
});

it("an account whose key differs in the file waits for a restart, unless processes are replaced", () => {
  const withKeys = (keys: Record<string, string>) =>
    parseConfig(
      { accounts: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, { keys: { key } }])) },
      {},
    );
  const [old, changed] = ["a", "b"].map((letter) => letter.repeat(32)) as [string, string];
  const running = withKeys({ ada: old, bob: `${old}c` });
  expect(waitingFor(running, withKeys({ ada: changed, bob: `${old}c` }), false)).toEqual(["accounts.ada"]);
  expect(waitingFor(running, withKeys({ bob: `${old}c` }), false)).toEqual(["accounts.ada"]);
  expect(waitingFor(running, withKeys({ ada: changed }), true)).toEqual([]);
});

it("a setting keeps its origin through a reload that does not state it", () => {
  const file = "manifold.json";
  const settings = { config: parseConfig({}, {}), env: {} };
  const first = { "server.grace": { file, line: 2 }, "server.log": { file, line: 3 } };
  const current = new CurrentConfig({ ...settings, source: { file, origins: first } });
  current.replace({ ...settings, source: { file, origins: { "server.log": { file, line: 9 } } } });
  const originOf = (path: string) => current.describe(false).find((one) => one.path === path)?.origin;
  expect([originOf("server.grace"), originOf("server.log")]).toEqual([
    { file, line: 2 },
    { file, line: 9 },
  ]);
});
