import type { Database } from "../../../store/databases/database.ts";
import { storeOf } from "../places.ts";
import { MODELS } from "./models.ts";

export const BALANCE = 1_000_000_000;
/** Who calls; the requests of the second are guarded. */
export const KEYS = {
  payer: "key-of-the-payer-0123456789abcdef",
  guarded: "key-of-the-guarded-0123456789abcd",
} as const;
export type Payer = keyof typeof KEYS;
export const GUARD_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** The part of the first answer's cost that an answer from the cache costs. */
export const SHARE = 0.25;

interface Places {
  database: Database;
  /** Of files, for all processes. */
  folder: string;
  simulator: string;
  /** The relay that spoils figures. */
  liar: string;
  guard: string;
}

/** A gateway with every operation, as each process of the day is given it. */
export const configOf = ({ database, folder, simulator, liar, guard }: Places): object => {
  const provider = (more: object): object => ({
    ...{ origin: simulator, key: "secret-of-upstream", timeouts: { firstByte: 4_000, idle: 4_000 } },
    ...more,
  });
  const ranking = (wire: string, path = ""): object =>
    provider({ serves: { rerank: path ? { wire, origin: `${simulator}/${path}/v1` } : wire } });
  return {
    store: storeOf(database),
    objects: `file:${folder}`,
    linkSecrets: ["5".repeat(64)],
    providers: {
      chatstyle: provider({
        protocol: "chatstyle",
        serves: { image: "chatstyle", speech: "chatstyle", transcription: "chatstyle" },
      }),
      responses: provider({ protocol: "responses" }),
      msgstyle: provider({ protocol: "msgstyle" }),
      genstyle: provider({ protocol: "genstyle", serves: { video: "genstyle" } }),
      conversestyle: provider({ protocol: "conversestyle" }),
      media: provider({ protocol: "chatstyle", serves: { image: "mediastyle", video: "mediastyle" } }),
      router: provider({ protocol: "chatstyle", serves: { image: "routerstyle", embed: "routerstyle" } }),
      speechstyle: provider({ serves: { speech: "speechstyle" } }),
      search: ranking("searchstyle"),
      before: ranking("searchstyle1", "search"),
      score: ranking("scorestyle", "score"),
      top: ranking("topstyle", "top"),
      liar: provider({ protocol: "chatstyle", origin: liar }),
      // Nobody listens there.
      away: provider({ protocol: "chatstyle", origin: "http://127.0.0.1:9" }),
    },
    models: Object.fromEntries(
      Object.entries(MODELS).map(([id, { provider, name, known, price, input, output, fallbacks }]) => [
        id,
        {
          ...(input && { input }),
          ...(output && { output }),
          ...(fallbacks && { fallbacks }),
          entries: [{ provider, name, price, ...(known && { known }) }],
        },
      ]),
    ),
    accounts: Object.fromEntries(
      Object.entries(KEYS).map(([name, key]) => [name, { balance: BALANCE / 1e6, keys: { only: key } }]),
    ),
    guards: [
      {
        ...{ name: "words", url: guard, secret: GUARD_SECRET, check: ["request", "reply"] },
        ...{ accounts: ["guarded"], timeout: 1_000, onFailure: "refuse" },
      },
    ],
    answerCache: { in: "database", share: SHARE },
    // Faults are many here, and each is to be called.
    routing: { circuit: { failures: 1_000_000 } },
    media: {
      maxLiveJobs: 10_000,
      poll: { initial: 50, max: 500 },
    },
  };
};
