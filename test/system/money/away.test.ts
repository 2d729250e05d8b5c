import { afterAll, beforeAll, describe, it } from "vitest";
import { type OwnServer, startServer } from "../../store/databases/server.ts";
import { makeDatabase, type Provider, startProvider, surviveOutage } from "./outage.ts";
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
      const outage = { begin: () => server.end(how), end: () => server.start(), lastsMs: AWAY_MS };
      const figures = await surviveOutage({ ...(await makeDatabase(server, name)), ...outage }, provider);
      console.log(how, figures);
    });
  },
);
