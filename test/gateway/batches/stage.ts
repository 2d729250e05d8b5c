import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Json } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { type Stage, type StageOptions, startStage } from "../../support/stage.ts";
import { until } from "../../support/until.ts";

export const MODEL = "sim-chatstyle";
export const FILES = "/api/chatstyle/v1/files";
export const BATCHES = "/api/chatstyle/v1/batches";
export const CREDIT = 1_000_000_000;

/** Short pauses, so that a test does not wait for them. */
export const quick = { retry: { initial: 5, max: 20 }, rest: 50 };

export interface Answers {
  /** The batch as it ended. */
  batch: Json;
  /** Its lines with an answer, and without. */
  output: Json[];
  errors: Json[];
}

export interface BatchStage extends Stage {
  upload(text: string | Uint8Array, fields?: Record<string, string>, headers?: object): Promise<Response>;
  begin(lines: readonly (object | string)[], more?: object, headers?: object): Promise<Json>;
  ended(id: string): Promise<Answers>;
}

export const lineOf = (name: string, content = "Say hello.", more: object = {}): object => ({
  custom_id: name,
  url: "/v1/chat/completions",
  body: { model: MODEL, max_tokens: 8, messages: [{ role: "user", content }], ...more },
});

/** A gateway that runs batches, for the requests of tests about them. */
export async function openBatchStage(options: StageOptions = {}): Promise<BatchStage> {
  const { media, ...rest } = options;
  const stage = await startStage({
    ...{ holders: [ADA, OTHER], credit: CREDIT, ...rest },
    media: { ...media, batches: { ...quick, ...media?.batches } },
  });
  const upload: BatchStage["upload"] = (text, fields = {}, headers = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ purpose: "batch", ...fields })) form.set(name, value);
    form.set("file", new Blob([text as Uint8Array<ArrayBuffer>]), "lines.jsonl");
    return stage.call(FILES, undefined, { method: "POST", body: form, headers: { ...headers } });
  };
  const linesIn = async (id: string | null): Promise<Json[]> => {
    if (id === null) return [];
    const text = await (await stage.call(`${FILES}/${id}/content`)).text();
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  return {
    ...stage,
    upload,
    async begin(lines, more = {}, headers = {}) {
      const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
      const { id } = (await (await upload(text)).json()) as Json;
      const window = { endpoint: "/v1/chat/completions", completion_window: "24h" };
      return stage.json(BATCHES, { input_file_id: id, ...window, ...more }, 200, { headers: { ...headers } });
    },
    async ended(id) {
      const batch = await until(
        () => stage.json(`${BATCHES}/${id}`),
        ({ status }) => ["completed", "failed", "expired", "cancelled"].includes(status),
      );
      const [output, errors] = [await linesIn(batch.output_file_id), await linesIn(batch.error_file_id)];
      return { batch, output, errors };
    },
  };
}

/** Such a gateway for the length of a test file; its upstream forgets before each test. */
export function useBatchStage(options?: StageOptions): { h: BatchStage } {
  const set = {} as { h: BatchStage };
  beforeAll(async () => {
    set.h = await openBatchStage(options);
  });
  afterAll(() => set.h.close());
  beforeEach(() => set.h.simulator.reset());
  return set;
}
