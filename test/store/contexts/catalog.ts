import { expect, it } from "vitest";
import type { ModelContent } from "../../../packages/store/src/catalog.ts";
import { NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const swift = {
  id: "swift-1",
  name: "Swift",
  inputModalities: ["text"],
  outputModalities: ["text"],
  isActive: true,
  entries: [
    {
      provider: "p1",
      name: "swift-native",
      protocol: "messages",
      priority: 2,
      capabilities: { text: { supportedParameters: ["temperature"] } },
      price: { input: 20_000, output: 80_000 },
    },
    { provider: "p2", name: "swift", protocol: "chat-completions", priority: 1 },
  ],
} satisfies ModelContent & Record<string, unknown>;
const brush = { id: "brush-1", isActive: true, entries: [] };

export const catalog: Context = (database) => {
  const store = useStore(database);

  it("the catalog raises revisions only where something changed", async () => {
    const { catalog } = store();
    expect(await catalog.replace([swift, brush], NOW)).toEqual(["swift-1", "brush-1"]);
    const first = await catalog.revision();
    expect(await catalog.list()).toEqual([
      { ...brush, revision: 1, createdAt: NOW, updatedAt: NOW },
      { ...swift, revision: 1, createdAt: NOW, updatedAt: NOW },
    ]);

    const { id, ...rest } = swift;
    expect(await catalog.replace([{ ...rest, id }, brush], NOW + 1)).toEqual([]);
    expect(await catalog.revision()).toBe(first);

    const dearer = {
      ...swift,
      entries: [{ ...swift.entries[0]!, price: { input: 30_000 } }, swift.entries[1]!],
    };
    expect(await catalog.upsert([dearer], NOW + 2)).toEqual(["swift-1"]);
    expect(await catalog.revision()).toBe(first + 1);
    expect((await catalog.list())[1]).toEqual({ ...dearer, revision: 2, createdAt: NOW, updatedAt: NOW + 2 });
  });

  it("a model that is no longer configured stays in the catalog, inactive", async () => {
    const { catalog } = store();
    await catalog.replace([swift, brush], NOW);
    expect(await catalog.replace([brush], NOW + 3)).toEqual(["swift-1"]);
    expect((await catalog.list()).map(({ id, isActive }) => [id, isActive])).toEqual([
      ["brush-1", true],
      ["swift-1", false],
    ]);
    expect(await catalog.replace([brush], NOW + 4)).toEqual([]);
  });
};
