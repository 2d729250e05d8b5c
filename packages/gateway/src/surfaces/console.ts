import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { serveConsole } from "./console-files.ts";

const page = (path: string) =>
  defineRoute({
    method: "GET",
    path,
    access: "open",
    quiet: true,
    summary: "Console (HTML)",
    about: "The console's page and its files; `404` if the service was built without them.",
    statuses: [200, 304],
    also: { "text/html": z.string() },
    examples: { page: {} },
    uses: ["console"],
    handler: (context) => serveConsole(context),
  });

/** Redirects a browser from the service's bare address to the console. */
const front = defineRoute({
  method: "GET",
  path: "/",
  access: "open",
  quiet: true,
  summary: "Send a browser to the console",
  statuses: [303],
  examples: { all: {} },
  uses: ["console"],
  handler({ services }) {
    if (!services.console)
      throw new Refusal("route_not_found", "There is nothing at this path. `/docs` lists all routes.");
    return { status: 303, headers: { location: "/console" } };
  },
});

/** The pages for managing accounts, requests and money. */
export const consoleSurface: Surface = {
  name: "console",
  about: "The web interface for accounts, requests and money.",
  prefix: "",
  routes: [front, page("/console"), page("/console/**:path")],
};
