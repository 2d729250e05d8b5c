import type { SimulatorOptions } from "@manifold-gateway/simulator";
import { stage } from "./setup.ts";

export const PATH = "/api/v3/contents/generations/tasks";
export const model = "sim-video-2-0";
export const text = (words: string) => ({ type: "text", text: words });
export const image = (role?: string, url = "https://example.test/a.png") => ({
  type: "image_url",
  image_url: { url },
  role,
});
export const video = (url = "https://example.test/a-2s.mp4") => ({
  type: "video_url",
  video_url: { url },
  role: "reference_video",
});
export const audio = (url = "https://example.test/a.mp3") => ({
  type: "audio_url",
  audio_url: { url },
  role: "reference_audio",
});

/** A simulator on its stage, and what a client does with the tasks of its films. */
export function stageVideos(options?: SimulatorOptions) {
  const set = stage(options);
  const create = (body: object) => set.post(PATH, { model, content: [text("a fox")], ...body });
  const say = async (words: string, body: object = {}) =>
    (await (await create({ content: [text(words)], ...body })).json()).id;
  const call = (path: string, method = "GET") =>
    fetch(set.origin + PATH + path, { method, headers: { authorization: "Bearer key" } });
  const read = async (id: string) => (await call(`/${id}`)).json();
  const states = async (id: string, count: number) => {
    const seen: string[] = [];
    for (let n = 0; n < count; n++) seen.push((await read(id)).status);
    return seen;
  };
  /** Reads until the task has ended. */
  async function ended(id: string) {
    for (let n = 0; n < 10; n++) {
      const task = await read(id);
      if (!["queued", "running"].includes(task.status)) return task;
    }
    throw new Error("the task does not end");
  }
  return { set, create, say, call, read, states, ended };
}
