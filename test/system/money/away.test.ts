import pg from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type OwnServer, startServer } from "../../store/databases/server.ts";
import { type Provider, startProvider, surviveOutage } from "./outage.ts";
import { setting } from "./places.ts";

/** For how long the server has ended, in ms. Without it there is no run, as it starts a server of its own: `60000`. */
const AWAY_MS = setting("MONEY_AWAY_MS", 0);

let provider: Provider;
let server: OwnServer;
beforeAll(async () => {
  if (AWAY_MS === 0) return;
  provider = await startProvider();
  server = await startServer({ isDurable: true });
}, 60_000);
afterAll(async () => {
  await provider?.simulator.close();
  await server?.stop();
});

describe.skipIf(AWAY_MS === 0).each(["in order", "at once"] as const)(
  "gateways whose Postgres ends %s and is started again",
  (how) => {
    it("gateways refuse while their database is away, go on after it, and charge each request once", {
      timeout: 240_000 + 3 * AWAY_MS,
    }, async () => {
      const name = `away_${how.replace(" ", "_")}`;
      const at = (database: string): string =>
        Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
      const execute = async (sql: string, database = name): Promise<Record<string, unknown>[]> => {
        const one = new pg.Client({ connectionString: at(database) });
        await one.connect();
        return (await one.query(sql).finally(() => one.end())).rows;
      };
      await execute(`CREATE DATABASE ${name}`, "postgres");
      const figures = await surviveOutage(
        {
          store: { dialect: "postgres", location: at(name) },
          execute,
          begin: () => server.end(how),
          end: () => server.start(),
          lastsMs: AWAY_MS,
        },
        provider,
      );
      console.log(how, figures);
    });
  },
);
