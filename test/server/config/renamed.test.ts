import { expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { ConfigError } from "../../../apps/server/src/config/read.ts";

const secret = "ab".repeat(32);
const providers = (concurrency: object) => ({
  local: { protocol: "chatstyle", origin: "http://127.0.0.1:1", key: "k", concurrency },
});

/** Each part of a file as version 0.1 had it, and as it is written now. */
const pairs: [name: string, earlier: object, now: object][] = [
  ["seals", { seals: [secret] }, { keyEncryptionSecrets: [secret] }],
  ["server.notice", { server: { notice: 5 } }, { server: { preStopDelay: 5 } }],
  ["limits.stall", { limits: { stall: 5 } }, { limits: { clientWriteTimeout: 5 } }],
  ["media.works", { media: { works: false } }, { media: { runJobs: false } }],
  ["media.live", { media: { live: 5 } }, { media: { maxLiveJobs: 5 } }],
  ["media.poll", { media: { poll: { first: 50, most: 60 } } }, { media: { poll: { initial: 50, max: 60 } } }],
  ["routing.unclear", { routing: { unclear: "next" } }, { routing: { retryAmbiguousFailures: true } }],
  ["routing.unclear off", { routing: { unclear: "answer" } }, { routing: { retryAmbiguousFailures: false } }],
  ["routing.patience", { routing: { patience: 5 } }, { routing: { maxRetryAfterWait: 5 } }],
  [
    "routing.circuit.cooling",
    { routing: { circuit: { cooling: 5 } } },
    { routing: { circuit: { maxCooldown: 5 } } },
  ],
  [
    "telemetry.traces.tell",
    { telemetry: { traces: { tell: ["local"] } }, providers: providers({ maxConcurrent: 2 }) },
    { telemetry: { traces: { propagateTo: ["local"] } }, providers: providers({ maxConcurrent: 2 }) },
  ],
  [
    "providers.*.concurrency.most",
    { providers: providers({ most: 2 }) },
    { providers: providers({ maxConcurrent: 2 }) },
  ],
];

it.each(pairs)(
  "the earlier name %s means what the name of today means, with a warning",
  (_, earlier, now) => {
    const warnings: string[] = [];
    const warn = (sentence: string): void => void warnings.push(sentence);
    expect(parseConfig(earlier, {}, "manifold.json", warn)).toEqual(
      parseConfig(now, {}, "manifold.json", warn),
    );
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings)
      expect(warning).toMatch(
        /^manifold\.json: \S+ is called \S+ now; version 0\.2 no longer accepts the earlier name$/,
      );
  },
);

it("an earlier name beside the name of today is refused, because one of the two would be ignored", () => {
  const both = { server: { notice: 5, preStopDelay: 6 } };
  expect(() => parseConfig(both, {})).toThrow(ConfigError);
  expect(() => parseConfig(both, {})).toThrow(
    "server.notice: is the earlier name of server.preStopDelay; leave it out",
  );
});

it("a wrong value under an earlier name is refused under the name of today", () => {
  const wrong = { routing: { unclear: "maybe" } };
  expect(() => parseConfig(wrong, {}, "f", () => {})).toThrow("routing.retryAmbiguousFailures");
});
