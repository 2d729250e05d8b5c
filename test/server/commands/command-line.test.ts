import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandRow } from "../../../apps/server/src/commands/call.ts";
import { commands } from "../../../apps/server/src/commands/index.ts";
import { Misuse } from "../../../apps/server/src/commands/misuse.ts";
import { OPTIONS } from "../../../apps/server/src/commands/options.ts";
import { showAll } from "../../../apps/server/src/commands/show.ts";
import { runCommand } from "../../support/commands.ts";

/** Every command that does something, by its whole name. */
const leaves = (rows: readonly CommandRow[], before: readonly string[] = []): [string, CommandRow][] =>
  rows.flatMap((row) => {
    const words = [...before, row.form.split(" ")[0] ?? ""];
    return row.commands ? leaves(row.commands, words) : [[words.join(" "), row] as [string, CommandRow]];
  });

const root = join(import.meta.dirname, "../../..");

describe("the command line", () => {
  it.each(leaves(commands))("'%s' has code, and a help page with all that it takes", async (line, row) => {
    expect(await row.load?.()).toBeTypeOf("function");
    const { code, output } = await runCommand([...line.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(output).toContain(`Usage: manifold ${line}`);
    for (const name of row.options ?? []) expect(output).toContain(OPTIONS[name][0]);
    expect(output).toContain("--config <file>");
    // A help page is broken into lines.
    const text = output.replaceAll(/\s+/g, " ");
    expect(text).toContain(row.does);
    for (const variable of ["MANIFOLD_CONFIG", ...Object.values(row.variables ?? {})])
      expect(text).toContain(`[variable: ${variable}]`);
  });

  it("has one page of all commands, which says what the exit codes are", async () => {
    const { code, output } = await runCommand("--help");
    expect(code).toBe(0);
    for (const row of commands) expect(output).toContain(row.does.slice(0, 40));
    expect(output).toContain("Exit codes: 0 done");
  });

  it("has every command on its page", () => {
    const page = readFileSync(join(root, "docs/commands.md"), "utf8");
    for (const [line] of leaves(commands))
      for (const word of line.split(" "))
        expect(page).toMatch(new RegExp(`^\\| .*\\b${word}\\b.* \\| `, "m"));
  });

  it.each(Object.entries(OPTIONS))("gives the option %s under its name", (name, [flags]) => {
    const [, flag = ""] = /--([\w-]+)/.exec(flags) ?? [];
    expect(flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())).toBe(name);
  });

  it("shows no option of a group on the pages of its commands, and each option once", async () => {
    expect((await runCommand("archive read --help")).output).not.toContain("--remove");
    for (const [line] of leaves(commands)) {
      const { output } = await runCommand([...line.split(" "), "--help"]);
      expect(output.split("  --json ")).toHaveLength(2);
    }
  });

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "apps/server/package.json"), "utf8"));
    expect((await runCommand("--version")).output).toBe(`${version}\n`);
  });

  it.each([
    ["acounts list", "Did you mean accounts?"],
    ["--confg x", "Did you mean --config?"],
    ["backup", "missing required argument 'target'"],
    ["start now", "too many arguments"],
    ["start --port http", "--port: must be a number"],
    ["start --port 99999", "--port: must be at most 65535"],
    [
      "catalog set model a",
      "section: must be one of providers, models, webhooks, keyDefaults. Did you mean 'models'?",
    ],
    ["archive --until 2026-13", "--until: must be a month such as 2026-01"],
    ["setup vim", "there is no agent 'vim'; known are"],
    ["simulate --fault nonsense=1", "--fault is a list such as status=429"],
    ["explain --surface soap", "--surface is one of"],
    ["archive list --remove", "unknown option '--remove'"],
    ["archive --until 2026-01 verify", "unknown option '--until'"],
  ])("says how '%s' is meant, as a misuse of the command line", async (line, expected) => {
    const error = await runCommand(line, { env: { DATABASE_URL: "sqlite::memory:" } }).catch(
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(Misuse);
    expect(error.message).toContain(expected);
  });

  it.each([
    ['{ "entries": }', "standard input:1:14: not valid JSON: value expected"],
    ["[1]", "the value: must be an object, and is a list"],
    ['{\n  "entries": }', "standard input:2:14: not valid JSON: value expected"],
  ])("says what is wrong with %s of standard input", async (input, expected) => {
    await expect(runCommand("catalog set models a", { input })).rejects.toThrow(expected);
  });

  it("takes options before and after the command", async () => {
    const missing = "/none/manifold.json";
    for (const line of [`--config ${missing} audit`, `audit -c ${missing}`, `-c ${missing}`])
      await expect(runCommand(line)).rejects.toThrow(`${missing}: no such file`);
  });
});

describe("what commands print", () => {
  const rows = [
    { id: "a", creditBalance: 2.5, limits: { daily: 1 }, isActive: true },
    { id: "longer", creditBalance: 10, limits: {}, isActive: false, note: "red\u001b[31m" },
  ];
  const columns = ["id", "creditBalance", "limits", "isActive", "note"];
  const print = async (options: { json?: boolean }, isTerminal: boolean): Promise<string[]> => {
    const lines: string[] = [];
    const call = { words: [], options, env: {}, isTerminal, read: async () => "" };
    await showAll({ ...call, print: (text) => void lines.push(text) }, columns, rows);
    return lines;
  };

  it("is a table on a terminal, which no text of it can write over", async () => {
    expect(await print({}, true)).toEqual([
      "ID      CREDIT BALANCE  LIMITS   IS ACTIVE  NOTE",
      "a       2.5             daily=1  yes        -",
      "longer  10              -        no         red [31m",
    ]);
  });

  it("is JSON in a pipe, and where it is asked for", async () => {
    const json = rows.map((row) => JSON.stringify(row));
    expect(await print({}, false)).toEqual(json);
    expect(await print({ json: true }, true)).toEqual(json);
  });
});
