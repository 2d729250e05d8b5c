import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadWithSource } from "../../../apps/server/src/config/load.ts";
import type { Host } from "../../../apps/server/src/host.ts";
import { runCommand } from "../../support/commands.ts";
import {
  type Change,
  CREDENTIAL,
  chat,
  declare as declareOn,
  entry,
  memberOf,
  model,
  send,
  undo as undoOn,
  withServices,
} from "./stage.ts";

const stage = withServices();
const declare = (changes: Change[], more: object = {}) => declareOn(stage.first, changes, more);
const undo = (revisions: number[], more: object = {}) => undoOn(stage.first, revisions, more);
const provider = (name: string, more: object = {}) => ({
  section: "providers",
  name,
  value: { protocol: "chatstyle", origin: stage.origin, key: CREDENTIAL, ...more },
});
const variable = (name: string) => `\${${name}}`;

describe("declarations beside a file", () => {
  it("a provider and its model are served at once, and soon by another process", async () => {
    const made = await declare([provider("declared"), model("declared", entry("declared"), entry("filed"))]);
    expect(made).toMatchObject({ status: 200, body: { isApplied: true, revisions: [1, 2], breaks: [] } });
    expect(await chat(stage.first, "declared")).toBe(200);
    expect(stage.simulator.ledger.last()?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
    await expect.poll(() => chat(stage.second, "declared")).toBe(200);
  });

  it("members of the file are marked and cannot be changed; the error names the file", async () => {
    const { members } = (await send(stage.first, "GET", "/declarations")).body;
    const sources = Object.fromEntries(
      members.map(({ section, name, source }: Record<string, string>) => [`${section}.${name}`, source]),
    );
    expect(sources).toEqual({
      "providers.filed": "file",
      "providers.declared": "database",
      "models.filed": "file",
      "models.declared": "database",
    });
    const refused = await declare([model("filed", entry("declared"))], { confirm: true });
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toContain(join(stage.folder, "manifold.json"));
  });

  it.each([
    [
      "an unknown provider",
      model("bad", entry("nowhere")),
      /^models\.bad\.entries\.0\.provider: no provider 'nowhere'/,
    ],
    [
      "an unknown field",
      { ...model("bad"), value: { entries: [entry("filed")], prise: 1 } },
      /prise.*no such field/,
    ],
    [
      "a name that the file uses",
      { ...model("bad"), value: { aliases: ["filed"], entries: [entry("filed")] } },
      /'filed'/,
    ],
    [
      "a variable of the service",
      provider("bad", { key: variable("MANIFOLD_ADMIN_KEY") }),
      /belongs to the service/,
    ],
    [
      "a variable outside of credentials",
      provider("bad", { origin: variable("HOME") }),
      /not in a credential/,
    ],
    [
      "a variable that is not set",
      provider("bad", { key: variable("NOT_SET_HERE") }),
      /NOT_SET_HERE is not set/,
    ],
    [
      "a credential that was never stored",
      provider("bad", { key: "sealed 01234567" }),
      /no stored credential/,
    ],
  ])("%s is refused with a finding", async (_, change, finding) => {
    const refused = await declare([change]);
    expect(refused).toMatchObject({ status: 400, body: { code: "declaration_invalid" } });
    expect(refused.body.errors.join("\n")).toMatch(finding);
    expect((await declare([change], { preview: true })).body.problems.join("\n")).toMatch(finding);
  });

  it("a preview tells what in the change is probably not meant, and in nothing else", async () => {
    await declare([provider("hasty", { timeouts: { idle: 60 } })]);
    const change = {
      ...model("dear"),
      value: { entries: [{ ...entry("filed"), price: { input: 0.000003 } }], fallbacks: ["filde"] },
    };
    const preview = (await declare([change], { preview: true })).body;
    expect(preview.problems).toEqual([]);
    expect(preview.doubts).toEqual([
      expect.stringMatching(/^models\.dear\.entries\.0\.price\.input: comes to/),
      "models.dear.fallbacks.0: there is no model 'filde'. Did you mean 'filed'?",
    ]);
    await declare([{ section: "providers", name: "hasty" }]);
  });

  it("a credential is kept by what stands for it, but never sent to another address", async () => {
    const { value } = await memberOf(stage.first, "providers", "declared");
    expect(value.key).toMatch(/^sealed /);
    expect(
      (await declare([{ section: "providers", name: "declared", value: { ...value, drain: 5 } }])).status,
    ).toBe(200);
    await chat(stage.first, "declared");
    expect(stage.simulator.ledger.last()?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
    const moved = { ...value, origin: "https://elsewhere.example" };
    const refused = await declare([{ section: "providers", name: "declared", value: moved }]);
    expect(refused.body.errors[0]).toContain("give the credential");
  });

  it("a change that breaks a model is refused with what it would break, or made on confirmation and undone", async () => {
    const removal = [{ section: "providers", name: "declared" }];
    const refused = await declare(removal);
    expect(refused).toMatchObject({ status: 409, body: { code: "declaration_breaks" } });
    expect(refused.body.errors).toEqual(["models.declared: would lose its entry 'n-declared' of 'declared'"]);
    const preview = (await declare(removal, { preview: true })).body;
    expect(preview).toMatchObject({
      isApplied: false,
      routes: [
        { model: "declared", before: ["declared n-declared", "filed n-filed"], after: ["filed n-filed"] },
      ],
    });
    const done = await declare(removal, { confirm: true });
    expect(done).toMatchObject({ status: 200, body: { isApplied: true } });
    expect(await chat(stage.first, "declared")).toBe(200);
    expect(stage.simulator.ledger.last()?.headers.authorization).toBe("Bearer k-filed");
    expect((await undo(done.body.revisions)).status).toBe(200);
    await chat(stage.first, "declared");
    expect(stage.simulator.ledger.last()?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
    expect((await undo(done.body.revisions)).body.code).toBe("declaration_outdated");
  });

  it("the audit log has each change before and after, by which it can be undone, and no credential", async () => {
    const set = (price: number) => declare([model("declared", entry("declared", price))], { confirm: true });
    await set(3);
    await set(4);
    const { results } = (await send(stage.first, "GET", "/audit-log?subject=models.declared&limit=1")).body;
    const [{ action, actor, before, after }] = results;
    expect({ action, actor }).toEqual({ action: "declaration_changed", actor: "operator:operator" });
    expect([before.entries[0].price.input, after.entries[0].price.input]).toEqual([3, 4]);
    const undone = await undo([after.revision]);
    expect(undone.body.changes).toMatchObject([{ field: "price.input", before: 4, after: 3 }]);
  });

  it("neither the database nor the interface shows a credential", async () => {
    await stage.first.store.auditLog.list({}, { offset: 0, limit: 1 });
    for (const name of readdirSync(stage.folder).filter(
      (one) => one.startsWith("store.db") && !one.endsWith("calls"),
    ))
      expect(readFileSync(join(stage.folder, name)).includes(CREDENTIAL)).toBe(false);
    for (const path of ["/declarations", "/declarations/export", "/audit-log?limit=100", "/config"])
      expect(JSON.stringify((await send(stage.first, "GET", path)).body)).not.toContain(CREDENTIAL);
  });

  it("an export is a file that routes the same without the declarations", async () => {
    const { document, variables } = (await send(stage.first, "GET", "/declarations/export")).body;
    const env = Object.fromEntries(variables.map((name: string) => [name, "c".repeat(64)]));
    const file = join(stage.folder, "exported.json");
    writeFileSync(file, JSON.stringify({ ...document, store: "sqlite::memory:" }));
    const other = await stage.start(loadWithSource(file, env));
    const routes = async (host: Host) => {
      const body = { model: "declared", messages: [{ role: "user", content: "hello" }] };
      const request = { accountId: "acc", path: "/api/chatstyle/v1/chat/completions", body };
      const { route } = (await send(host, "POST", "/explain", request)).body;
      return route.candidates.map((one: Record<string, string>) => `${one.provider} ${one.name}`);
    };
    // The admin key is one of the credentials that became variables.
    const sent = await fetch(`${other.origin}/api/admin/declarations`, {
      headers: { "x-admin-key": "c".repeat(64) },
    });
    expect(sent.status).toBe(200);
    const { catalog } = other.store;
    const own = await stage.first.store.catalog.list<{ id: string; isActive: boolean }>();
    const strip = (list: { createdAt?: unknown; updatedAt?: unknown; revision?: unknown }[]) =>
      list.map(({ createdAt: _, updatedAt: _u, revision: _r, ...one }) => one);
    expect(strip(await catalog.list())).toEqual(strip(own.filter(({ isActive }) => isActive)));
    expect((await routes(stage.first)).length).toBeGreaterThan(0);
    await other.stop();
  });

  it("the command line makes, previews and undoes changes that running servers serve", async () => {
    const file = join(stage.folder, "manifold.json");
    const run = (line: string, input = "") => runCommand([...line.split(" "), "--config", file], { input });
    const value = JSON.stringify({ entries: [entry("filed")] });
    expect((await run("catalog set models by-command --dry-run", value)).lines).toMatchObject([
      { isApplied: false },
    ]);
    const [made] = (await run("catalog set models by-command", value)).lines;
    await expect.poll(() => chat(stage.first, "by-command")).toBe(200);
    const listed = (await run("catalog list --json")).lines;
    expect(listed.find(({ name }) => name === "by-command")).toMatchObject({ source: "database" });
    await expect(run("catalog remove models by-command")).rejects.toThrow("would no longer be served");
    await expect(run("catalog remove models filed --confirm")).rejects.toThrow(file);
    expect((await run(`catalog undo ${made.revisions[0]} --confirm`)).code).toBe(0);
    await expect.poll(() => chat(stage.first, "by-command")).toBe(400);
    expect((await run("catalog export")).output).not.toContain(CREDENTIAL);
  });

  it("a file whose models name providers that nothing declares is repaired, one at a time", async () => {
    const { source } = stage.write("broken.json", {
      store: `sqlite:${join(stage.folder, "broken.db")}`,
      models: { filed: { entries: [entry("first"), entry("second")] } },
    });
    const run = (line: string, input = "") =>
      runCommand([...line.split(" "), "--json", "--config", source.file ?? ""], { input });
    const problemsOf = async () =>
      (await run("catalog list")).lines.find(({ section }) => section === "models").problems;
    expect(await problemsOf()).toHaveLength(2);
    const value = JSON.stringify({ protocol: "chatstyle", origin: stage.origin });
    await run("catalog set providers first", value);
    expect((await problemsOf()).join()).toMatch(/^models\.filed\.entries\.1\.provider: no provider 'second'/);
    await expect(run("catalog set providers third", "{}")).rejects.toThrow(
      /^providers\.third: needs a preset/,
    );
    await run("catalog set providers second", value);
    expect(await problemsOf()).toEqual([]);
    await expect(run("catalog remove providers first --confirm")).rejects.toThrow(
      "models.filed.entries.0.provider: no provider 'first'",
    );
  });

  it("a declaration that the file contradicts is left out of a start, and listed with the reason", async () => {
    const names = ["filed", "declared"];
    const settings = stage.write("later.json", {
      models: Object.fromEntries(names.map((name) => [name, { entries: [entry("filed")] }])),
    });
    const third = await stage.start(settings);
    const { members } = (await send(third, "GET", "/declarations")).body;
    const shadowed = members.find(
      (one: Record<string, unknown>) =>
        one.name === "declared" && one.source === "database" && one.section === "models",
    );
    expect(shadowed.problems[0]).toContain("goes first");
    expect(await chat(third, "declared")).toBe(200);
    await third.stop();
  });
});
