import { expect, it } from "vitest";
import { ADMIN, sendTo } from "../../support/caller.ts";
import { ADA } from "../../support/holder.ts";
import { AUDIENCE, ISSUER, PASSWORD, SECRET } from "../account/desk.ts";
import { expectAsTold } from "../openapi/holds.ts";
import { ofBatches, rows, targetOf } from "../openapi/routes.ts";
import { FILES, lineOf, useBatchStage } from "./stage.ts";

const set = useBatchStage({ sessions: { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE } });
const covered = new Set<string>();
const documented = rows.filter(({ path }) => ofBatches(path));

function rowOf(name: string) {
  covered.add(name);
  return documented.find((row) => `${row.route.method} ${row.path}` === name)!;
}

/** The JSON of a route's answer, or its text, which has to be as the route is documented. */
async function send(name: string, id?: string, init: RequestInit = {}, body?: unknown) {
  const { route, path } = rowOf(name);
  const target = targetOf(path, { ...(id !== undefined && { params: { id, batchId: id } }) });
  const response = await set.h.call(target, body, { method: route.method, ...init });
  return (await expectAsTold(route, response)) as { id: string } & Record<string, string>;
}

it("every route of files and batches answers as it is documented", async () => {
  const chat = "/api/chatstyle/v1";
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new Blob([JSON.stringify(lineOf("a"))]), "lines.jsonl");
  const { id: input } = await send(`POST ${FILES}`, undefined, { body: form });
  const request = { input_file_id: input, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const { id } = await send(`POST ${chat}/batches`, undefined, {}, { ...request, metadata: { a: "b" } });
  await send(`GET ${chat}/batches/{id}`, id);
  const { batch } = await set.h.ended(id);
  for (const name of ["GET", "POST"])
    await send(`${name} ${chat}/batches/{id}${name === "POST" ? "/cancel" : ""}`, id);
  for (const name of ["files", "batches"]) await send(`GET ${chat}/${name}`);
  await send(`GET ${FILES}/{id}`, batch.output_file_id);
  expect(await send(`GET ${FILES}/{id}/content`, batch.output_file_id)).toContain('"custom_id":"a"');
  await expectOwn(request, id);
  await send(`DELETE ${FILES}/{id}`, input);
  for (const route of ["GET ", "GET /{batchId}", "DELETE /{batchId}"])
    await send(route.replace(" ", " /api/admin/batches"), id, { headers: { "x-admin-key": ADMIN } });

  const messages = "/api/msgstyle/v1/messages/batches";
  const { route } = documented.find(({ path, route: { method } }) => path === messages && method === "POST")!;
  const { id: other } = await send(`POST ${messages}`, undefined, {}, route.examples?.one?.body);
  await send(`GET ${messages}/{id}`, other);
  await set.h.until(`${messages}/${other}`, ({ ended_at: ended }) => ended !== null);
  await send(`GET ${messages}/{id}`, other);
  await send(`POST ${messages}/{id}/cancel`, other);
  await send(`GET ${messages}`);
  expect(await send(`GET ${messages}/{id}/results`, other)).toContain('"custom_id":"a"');
  await send(`DELETE ${messages}/{id}`, other);
  const names = documented.map(({ route: { method }, path }) => `${method} ${path}`);
  expect([...covered].sort()).toEqual(names.sort());
});

/** The account's own interface: a session names the key that runs the lines, and sees the batches of all surfaces. */
async function expectOwn(request: object, other: string): Promise<void> {
  const own = "/api/compat/v1/batches";
  const password = { login: "ada", password: PASSWORD };
  await set.h.json(`/api/admin/accounts/${ADA.id}/password`, password, 200, {
    headers: { "x-admin-key": ADMIN },
  });
  const { token } = await set.h.json("/api/auth/sign-in", { account: "ada", password: PASSWORD });
  const bySession = (body: object) =>
    sendTo(set.h.gateway, "POST", own, { authorization: `Bearer ${token}` }, body);
  expect((await set.h.call(own, { ...request, apiKeyId: ADA.keyId })).status).toBe(403);
  const foreign = await bySession({ ...request, apiKeyId: "key-other" });
  expect([foreign.status, (await foreign.json()).errors[0]]).toEqual([
    400,
    expect.stringContaining("apiKeyId: "),
  ]);
  const begun = await bySession({ ...request, apiKeyId: ADA.keyId });
  const { id } = (await expectAsTold(rowOf(`POST ${own}`).route, begun)) as { id: string };
  const { batch } = await set.h.ended(id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { total: 1, completed: 1 } });
  const { results } = (await send(`GET ${own}`)) as unknown as { results: { id: string }[] };
  expect(results.map((one) => one.id)).toEqual([id, other]);
  const found = (await send(`GET ${own}/{batchId}`, id)) as unknown as {
    apiKeyId: string;
    files: { use: string; downloadUrl: string }[];
  };
  expect(found).toMatchObject({ apiKeyId: ADA.keyId, files: [{ use: "input" }, { use: "output" }] });
  expect(await (await fetch(found.files[1]!.downloadUrl)).text()).toContain('"custom_id":"a"');
  expect(await send(`DELETE ${own}/{batchId}`, id)).toMatchObject({ status: "completed" });
  // Its lines are the requests of the batch, and what they cost is what it cost.
  const [sums, all] = await Promise.all(
    [`?batch=${id}`, ""].map((query) => set.h.json(`/api/compat/v1/usage/totals${query}`)),
  );
  expect([sums.requests, sums.microCost * 2]).toEqual([1, all.microCost]);
  expect(await set.h.json(`/api/compat/v1/find?q=${id}`)).toMatchObject({ results: [{ kind: "batch", id }] });
}
