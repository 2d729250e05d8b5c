import type { Json } from "../../../support/caller.ts";
import { KEYS } from "./config.ts";
import type { Draw } from "./draw.ts";

/** A batch as it was begun, and what came of it. */
export interface DayBatch {
  mark: string;
  id: string;
  surface: "chatstyle" | "msgstyle";
  lines: number;
  /** The process that was to begin it was killed meanwhile: it has begun if it is there. */
  isUnsure: boolean;
}

const FAULTS = [
  "",
  "",
  "",
  "",
  "[[fault:status=503,times=2]] ",
  "[[fault:status=400]] ",
  "[[fault:reset]] ",
  "[[fault:no-usage]] ",
];
const key = { "x-api-key": KEYS.payer };

interface Answer {
  status: number;
  text: string;
}

/** Sends a request until a gateway has answered it whole: one may be killed meanwhile. */
async function insist(origin: () => string, path: string, init: () => RequestInit): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await fetch(origin() + path, init());
      const text = await answer.text();
      if (answer.status < 500 || tries > 100) return { status: answer.status, text };
    } catch (error) {
      if (tries > 100) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const read = ({ status, text }: Answer): Json => {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
};

const json = (body: object, more: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { ...key, "content-type": "application/json", ...more },
  body: JSON.stringify(body),
});

/** The id of a batch that was begun, or that a process meant to begin when it was killed. */
function idIn(answer: Answer): Pick<DayBatch, "id" | "isUnsure"> {
  if (answer.status !== 409) return { id: read(answer).id, isUnsure: false };
  const [, id] = /batch (\w+)/.exec(answer.text) ?? [];
  if (id === undefined) throw new Error("a batch without an id");
  return { id, isUnsure: true };
}

/** Begins a batch on either surface, once, whatever happens to the gateway that is asked. */
export async function beginBatch(origin: () => string, mark: string, draw: Draw): Promise<DayBatch> {
  const lines = 8 + draw.below(40);
  const said = (at: number): string => `${mark}l${at}- ${draw.one(FAULTS)}[[fault:delay=20]] say something`;
  const headers = { "x-tags": `mark=${mark}`, "idempotency-key": `${mark}batch` };
  if (draw.is(0.4)) {
    const requests = Array.from({ length: lines }, (_, at) => ({
      custom_id: `${mark}l${at}-`,
      params: {
        model: draw.one(["chat", "messages", "converse", "away", "none"]),
        max_tokens: 100,
        messages: [{ role: "user", content: said(at) }],
      },
    }));
    const path = "/api/msgstyle/v1/messages/batches";
    const begun = idIn(await insist(origin, path, () => json({ requests }, headers)));
    return { mark, ...begun, surface: "msgstyle", lines };
  }
  const isEmbedding = draw.is(0.3);
  const endpoint = isEmbedding ? "/v1/embeddings" : "/v1/chat/completions";
  const rows = Array.from({ length: lines }, (_, at) => ({
    custom_id: `${mark}l${at}-`,
    method: "POST",
    url: endpoint,
    body: isEmbedding
      ? { model: draw.one(["embed-chat", "embed-generate"]), input: said(at) }
      : {
          model: draw.one(["chat", "generate", "responses", "away", "none"]),
          max_tokens: 100,
          messages: [{ role: "user", content: said(at) }],
        },
  }));
  const file = new File([rows.map((row) => JSON.stringify(row)).join("\n")], "lines.jsonl");
  const form = (): FormData => {
    const data = new FormData();
    data.append("purpose", "batch");
    data.append("file", file);
    return data;
  };
  const stored = read(
    await insist(origin, "/api/chatstyle/v1/files", () => ({ method: "POST", headers: key, body: form() })),
  );
  const terms = { input_file_id: stored.id, endpoint, completion_window: "24h" };
  const begun = idIn(await insist(origin, "/api/chatstyle/v1/batches", () => json(terms, headers)));
  return { mark, ...begun, surface: "chatstyle", lines };
}

const pathOf = ({ surface, id }: DayBatch): string =>
  surface === "chatstyle" ? `/api/chatstyle/v1/batches/${id}` : `/api/msgstyle/v1/messages/batches/${id}`;

/** A batch that ends meanwhile cannot be cancelled any more. */
export const cancelBatch = async (origin: () => string, batch: DayBatch): Promise<void> =>
  void (await insist(origin, `${pathOf(batch)}/cancel`, () => json({})));

/** The lines of a batch's results by name, each with its usage if it was answered; undefined if it was never begun. */
export async function resultsOf(
  origin: () => string,
  batch: DayBatch,
): Promise<{ name: string; isAnswered: boolean }[] | undefined> {
  const get = (path: string): Promise<Answer> => insist(origin, path, () => ({ headers: key }));
  const answer = await get(pathOf(batch));
  if (batch.isUnsure && answer.status === 404) return undefined;
  const found = read(answer);
  if (batch.surface === "msgstyle") {
    const { text } = await get(`${pathOf(batch)}/results`);
    return linesIn(text).map(({ custom_id, result }) => ({
      name: custom_id,
      isAnswered: result.type === "succeeded",
    }));
  }
  const files = [found.output_file_id, found.error_file_id].filter(Boolean);
  const texts = await Promise.all(
    files.map(async (id) => (await get(`/api/chatstyle/v1/files/${id}/content`)).text),
  );
  return texts.flatMap(linesIn).map(({ custom_id, response }) => ({
    name: custom_id,
    isAnswered: response?.status_code === 200,
  }));
}

const linesIn = (text: string): Json[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
