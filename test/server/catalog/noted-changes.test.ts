import { expect, it } from "vitest";
import type { Host } from "../../../apps/server/src/host.ts";
import { send, withServices } from "./stage.ts";

const stage = withServices();
const reloads = async (host: Host) => (await send(host, "GET", "/config/reloads")).body.reloads;

it("a change of a stored model is noted once by each process, whichever of them made it", async () => {
  expect(await reloads(stage.first)).toEqual([]);
  const { body } = await send(stage.first, "GET", "/state");
  const [{ id }] = body.providers.flatMap(({ entries }: { entries: { id: string }[] }) => entries);
  expect((await send(stage.first, "POST", `/entries/${id}`, { isActive: false })).status).toBe(200);
  const noted = [{ by: "catalog", isApplied: true, changed: ["filed"], findings: [] }];
  const [own] = await reloads(stage.first);
  expect([own]).toMatchObject(noted);
  await expect.poll(() => reloads(stage.second)).toMatchObject(noted);
  expect(await reloads(stage.first)).toEqual([own]);
});
