import { ObjectFault, serveLink } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import { headersOf, sendFile } from "../media/send-object.ts";
import type { Answer, RequestContext } from "../ports/context.ts";
import { defineRoute, type Surface } from "../route.ts";

/** Answers a link: with the file or a part of it, or with the reason why not. */
async function serve({ exchange, services }: RequestContext<"media" | "now">): Promise<Answer | undefined> {
  const { objects, links } = services.media ?? {};
  if (!objects || !links) throw new Refusal("file_not_found", "There is no such file.");
  const request = { method: exchange.method, url: exchange.target, headers: headersOf(exchange) };
  try {
    return await sendFile(exchange, await serveLink(objects, links, request, services.now()));
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    throw new Refusal("file_unavailable", "The file cannot be read at the moment.", {
      headers: { "retry-after": "1" },
    });
  }
}

const row = (method: "GET" | "HEAD") =>
  defineRoute({
    method,
    path: "/**:key",
    access: "open",
    summary: method === "GET" ? "Download a file by its link" : "Get the headers of a file by its link",
    about:
      "Links are created by the service, expire, and need no credential: their signature grants access. One range is served at a time.",
    handler: serve,
  });

/** Serves the files behind links in answers, if the service stores them itself. */
export const objectsSurface: Surface = {
  name: "objects",
  about: "The files behind links in responses.",
  prefix: "/api/objects",
  routes: [row("GET"), row("HEAD")],
};
