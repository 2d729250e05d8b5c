/** What a key is used for; each use has its requests in `requests/`. */
export type Use = "text" | "embedding" | "image" | "video" | "speech";

/** A key as the operator creates it, and its use. */
export interface DemoKey {
  name: string;
  /** Its share of the traffic, as a weight. */
  weight: number;
  uses: Partial<Record<Use, number>>;
  models: readonly string[];
  /** Caps in US dollars. */
  limits?: { daily?: number; weekly?: number; monthly?: number; total?: number };
  restrictions?: Record<string, unknown>;
  /** The fraction of its monthly cap that is spent at the end; the cap is set accordingly. */
  reached?: number;
}

export interface DemoAccount {
  /** The account's name; a start without a file creates `dev`. */
  name: string;
  /** Credit in US dollars. */
  credit: number;
  keys: readonly DemoKey[];
}

/** The accounts that make the traffic, with four keys each. The console's first link signs in `dev`. */
export const ACCOUNTS: readonly DemoAccount[] = [
  {
    name: "dev",
    credit: 1000,
    keys: [
      {
        name: "website",
        weight: 26,
        uses: { text: 1 },
        models: ["sim-large", "sim-small", "sim-chat"],
        reached: 0.94,
      },
      {
        name: "support",
        weight: 18,
        uses: { text: 9, speech: 1 },
        models: ["sim-messages", "sim-large"],
        limits: { weekly: 20, monthly: 60 },
      },
      { name: "search", weight: 14, uses: { embedding: 8, text: 2 }, models: ["sim-small"] },
      {
        name: "studio",
        weight: 6,
        uses: { image: 5, video: 3, speech: 2 },
        models: [],
        limits: { daily: 25 },
        reached: 0.81,
      },
    ],
  },
  {
    name: "Harbour Books",
    credit: 120,
    keys: [
      {
        name: "catalogue",
        weight: 12,
        uses: { text: 1 },
        models: ["sim-generate", "sim-small"],
        limits: { monthly: 40 },
      },
      { name: "covers", weight: 3, uses: { image: 4, video: 1 }, models: [], limits: { total: 150 } },
      { name: "letters", weight: 6, uses: { text: 1 }, models: ["sim-responses", "sim-large"] },
      {
        name: "readings",
        weight: 3,
        uses: { speech: 1 },
        models: [],
        restrictions: { models: ["seed-*"] },
        reached: 0.99,
      },
    ],
  },
  {
    name: "Field Lab",
    credit: 0.05,
    keys: [
      {
        name: "notebook",
        weight: 6,
        uses: { text: 3, embedding: 1 },
        models: ["sim-chat", "sim-responses", "sim-messages", "sim-generate"],
        restrictions: { requestsPerMinute: 60, concurrentRequests: 4 },
      },
      {
        name: "students",
        weight: 7,
        uses: { text: 1 },
        models: ["sim-small", "sim-chat"],
        limits: { daily: 0.002 },
      },
      { name: "pipeline", weight: 8, uses: { embedding: 6, text: 1 }, models: ["sim-small"] },
      {
        name: "old laptop",
        weight: 1,
        uses: { text: 1 },
        models: ["sim-chat"],
        restrictions: { models: ["sim-chat"] },
      },
    ],
  },
];
