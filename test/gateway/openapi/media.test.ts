import { createCatalog, type Example, type Model } from "@manifold-gateway/gateway";
import { createGuardedFetch, type GuardedFetch } from "@manifold-gateway/providers";
import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Download } from "../../../packages/providers/src/download/guarded-fetch.ts";
import { ADMIN, type Json } from "../../support/caller.ts";
import { KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";
import { until } from "../../support/until.ts";
import { expectAsTold } from "./holds.ts";
import { needsMedia, ofBatches, rows, targetOf } from "./routes.ts";

/** The models that examples name, by those of the harness. */
const named: Record<string, string> = {
  "sim-image": "image",
  "sim-image-chat": "image-chat",
  "sim-video": "video",
  "sim-video-router": "video-router",
  "sim-speech": "speech-chat",
  "sim-transcription": "transcription",
};
/** With entries of their own: an entry is known by the model that it was first asked for. */
const renamed: Model[] = Object.entries(named).map(([id, of]) => ({
  ...structuredClone(models.find((model) => model.id === of)!),
  id,
}));

const fetchLocal = createGuardedFetch({ allow: ["127.0.0.1/32"] });
const portrait = samples.png(640, 640);
const speech = samples.mp3(3);
/** Stands in for the public internet, where the files of examples are. */
const fetchFile: GuardedFetch = async (url, options) =>
  new URL(url).hostname === "127.0.0.1"
    ? fetchLocal(url, options)
    : {
        stream: new Blob([
          new Uint8Array(url.endsWith(".mp3") ? speech : portrait),
        ]).stream() as Download["stream"],
      };

let h: Stage;
beforeAll(async () => {
  const catalog = createCatalog([...models, ...renamed]);
  h = await startMediaStage({ media: { fetch: fetchFile }, catalog });
});
afterAll(() => h.close());

const served = rows.filter(({ path }) => needsMedia(path) && !ofBatches(path));
const rowOf = (name: string) => {
  const row = served.find(({ route, path }) => `${route.method} ${path}` === name);
  if (!row) throw new Error(`there is no row ${name}`);
  return row;
};

/** The answer to an example of a row, which has to be as the row tells. */
async function send(name: string, example: Example): Promise<Json> {
  const { route, path } = rowOf(name);
  const { method, access } = route;
  const headers: HeadersInit = access === "operator" ? { "x-admin-key": ADMIN } : {};
  return expectAsTold(route, await h.call(targetOf(path, example), example.body, { method, headers }));
}

const exampled = served.flatMap(({ route, path }) =>
  Object.entries(route.examples ?? {}).map(
    ([name, example]) => [`${route.method} ${path}`, name, example] as const,
  ),
);
it.each(exampled)("%s: %s is answered as documented", async (name, _, example) => {
  await send(name, example);
});

const first = (name: string): Example => Object.values(rowOf(name).route.examples ?? {})[0]!;
const isEnd = ({ status }: Json): boolean => /succeeded|completed|failed|active/.test(status);

/** What is read by an id: how one is made, what the id is called, where it is read, and given up. */
const works = [
  ["POST /api/v1/image/generations/async", "generationId", "/api/v1/image/generations/async/{generationId}"],
  ["POST /api/v1/video/generations", "generationId", "/api/compat/v1/jobs/{generationId}"],
  ["POST /api/v1/image/generations/async", "generationId", "/api/admin/jobs/{generationId}"],
  ["POST /api/v1/audio/text-to-speech", "generationId", "/api/v1/audio/generations/{generationId}"],
  [
    "POST /api/v1/audio/generation-with-reference",
    "generationId",
    "/api/v1/audio/generations/{generationId}",
  ],
  ["POST /api/v1/video/generations", "taskId", "/api/v1/video/tasks/{taskId}"],
  ["POST /api/chatstyle/v1/videos", "id", "/api/chatstyle/v1/videos/{id}"],
  ["POST /api/v1/kyc/user/assets", "assetId", "/api/v1/kyc/user/assets/{assetId}"],
] as const;
const covered = new Set<string>(exampled.map(([name]) => name));

describe.each(works)("works by %s", (made, id, path) => {
  const read = `GET ${path}`;
  const given = `DELETE ${path}`;
  covered.add(read).add(given);

  it("a work is read as documented at its beginning and its end, and listed", async () => {
    const begun = await send(made, first(made));
    const params = { [id]: begun[id] as string };
    const ended = await until(() => send(read, { params }), isEnd);
    expect(ended.status).not.toBe("failed");
    for (const [name, , example] of exampled.filter(([name]) => /^GET .*(s|pending)$/.test(name)))
      await send(name, example);
  });

  it("a work is cancelled as documented, where it can be", async () => {
    if (!served.some((row) => `${row.route.method} ${row.path}` === given)) return;
    const { [id]: value } = await send(made, first(made));
    await send(given, { params: { [id]: value as string } });
  });
});

it("an edited image, a video and the file behind a link are answered as documented", async () => {
  const edit = "POST /api/chatstyle/v1/images/edits";
  const url = `data:image/png;base64,${portrait.toString("base64")}`;
  const body = { model: "sim-image-chat", prompt: "The same at night.", images: [{ image_url: url }] };
  await send(edit, { body });
  const video = "POST /api/chatstyle/v1/videos";
  const { id } = await send(video, first(video));
  await h.until(`/api/chatstyle/v1/videos/${id}`, isEnd);
  const content = "GET /api/chatstyle/v1/videos/{id}/content";
  expect(await send(content, { params: { id } })).toContain("ftyp");
  const { images } = await send("POST /api/v1/image/generations", first("POST /api/v1/image/generations"));
  for (const method of ["GET", "HEAD"]) {
    const file = await fetch(images[0].downloadUrl, { method });
    expect([method, file.status]).toEqual([method, 200]);
    covered.add(`${method} /api/objects/{key}`);
  }
  covered.add(edit).add(content);
  for (const task of ["transcriptions", "translations"]) {
    const heard = `POST /api/chatstyle/v1/audio/${task}`;
    const form = new FormData();
    form.set("model", "sim-transcription");
    form.set("file", new File([new Uint8Array(speech)], "speech.mp3"));
    const response = await fetch(h.origin + rowOf(heard).path, {
      method: "POST",
      headers: { "x-api-key": KEY },
      body: form,
    });
    expect(await expectAsTold(rowOf(heard).route, response)).toMatchObject({ text: expect.any(String) });
    covered.add(heard);
  }
  expect(
    served.map(({ route, path: one }) => `${route.method} ${one}`).filter((name) => !covered.has(name)),
  ).toEqual([]);
});
