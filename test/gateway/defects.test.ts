import { chatstyle, embedWires } from "@manifold/core";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Harness, model, startHarness } from "./harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ models: [model("embed-chat", "chatstyle", { outputModalities: ["embedding"] })] });
});
afterAll(() => h.close());
afterEach(() => void vi.restoreAllMocks());

const messages = [{ role: "user", content: "Hello" }];
const defect = (): never => {
  throw new Error("a defect of ours");
};

it.each<[string, () => unknown, string, object]>([
  [
    "a reply",
    () => vi.spyOn(chatstyle.reply, "burst").mockImplementation(defect),
    "/api/msgstyle/v1/messages",
    { model: "sim-chatstyle", messages, max_tokens: 9 },
  ],
  [
    "a stream",
    () => vi.spyOn(chatstyle.reply, "decode").mockImplementation(defect),
    "/api/msgstyle/v1/messages",
    { model: "sim-chatstyle", messages, max_tokens: 9, stream: true },
  ],
  [
    "vectors",
    () => vi.spyOn(embedWires.chatstyle.reply, "decode").mockImplementation(defect),
    "/api/chatstyle/v1/embeddings",
    { model: "embed-chat", input: "Hello" },
  ],
])("a defect in reading %s lets go what was held", async (_, plant, path, body) => {
  plant();
  const before = await h.balance();
  const response = await h.call(path, body);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("defect");
  expect(await h.balance()).toEqual(before);
  expect(before.held).toBe(0);
});
