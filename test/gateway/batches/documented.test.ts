import { expect, it } from "vitest";
import { expectAsTold } from "../openapi/holds.ts";
import { ofBatches, rows, targetOf } from "../openapi/routes.ts";
import { FILES, lineOf, useBatchStage } from "./stage.ts";

const set = useBatchStage();
const covered = new Set<string>();
const documented = rows.filter(({ path }) => ofBatches(path));

/** The JSON of a route's answer, or its text, which has to be as the route is documented. */
async function send(name: string, id?: string, init: RequestInit = {}, body?: unknown) {
  const { route, path } = documented.find((row) => `${row.route.method} ${row.path}` === name)!;
  covered.add(name);
  const target = targetOf(path, { ...(id !== undefined && { params: { id } }) });
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
  await send(`DELETE ${FILES}/{id}`, input);

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
