import { createClient } from "../money/client.ts";

const CHAT = "/api/chatstyle/v1/chat/completions";

/** What came of one request. */
export interface Outcome {
  model: string;
  /** The text that only this request has. */
  mark: string;
  sent: number;
  ended: number;
  status: number | undefined;
  generation: string | undefined;
  body: string;
}

let marks = 0;

export interface Load {
  /** One request to a process. */
  ask(origin: string, model: string): Promise<Outcome>;
  /** Begins to send so many requests a second, whatever becomes of earlier ones: to each process and model in turn. */
  start(perSecond: number, models: readonly string[]): void;
  /** Resolves to the outcomes of all requests since the start. */
  stop(): Promise<Outcome[]>;
}

/** Requests to processes that serve the same models. */
export function createLoad(origins: readonly string[], key: string): Load {
  const client = createClient(1_000);
  const running: Promise<Outcome>[] = [];
  let timer: NodeJS.Timeout | undefined;
  const ask = async (origin: string, model: string): Promise<Outcome> => {
    const mark = `mark-${++marks}-`;
    // Many requests are under way while the catalog changes.
    const messages = [{ role: "user", content: `${mark} [[fault:delay=30]]` }];
    const sent = Date.now();
    const { status, generation, body } = await client.post(origin + CHAT, key, { model, messages });
    return { model, mark, sent, ended: Date.now(), status, generation, body };
  };
  return {
    ask,
    start(perSecond, models) {
      const begun = performance.now();
      timer = setInterval(() => {
        const due = ((performance.now() - begun) * perSecond) / 1_000;
        for (let turn = running.length; turn < due; turn++) {
          const model = models[Math.floor(turn / origins.length) % models.length] as string;
          running.push(ask(origins[turn % origins.length] as string, model));
        }
      }, 5);
    },
    async stop() {
      clearInterval(timer);
      const outcomes = await Promise.all(running);
      client.close();
      return outcomes;
    },
  };
}
