import { copyToSqlite } from "./copy-to-sqlite.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { measure } from "./measure.ts";

const USAGE = `npm run years -- fill postgres://… 1000000     # records of thirteen months, into an empty database
npm run years -- copy postgres://… FILE        # the same records in a new SQLite file
npm run years -- measure postgres://… or sqlite:FILE`;

const [command, url = "", argument = ""] = process.argv.slice(2);
const say = (seconds: number): void => console.log(`${seconds.toFixed(0)} s`);

if (command === "fill" && Number(argument) > 0) say(await fillPostgres(url, Date.now(), Number(argument)));
else if (command === "copy" && argument !== "") say(await copyToSqlite(url, argument));
else if (command === "measure" && url !== "") await measure(url);
else {
  console.error(USAGE);
  process.exitCode = 1;
}
