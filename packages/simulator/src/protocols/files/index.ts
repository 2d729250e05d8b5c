import { halved } from "../../media/media-jobs.ts";
import { Refusal } from "../../refusal.ts";
import { sampleNamed } from "../../samples/index.ts";
import type { AcceptedRequest, MediaCall, Wire } from "../protocol.ts";
import type { Route } from "../route.ts";

/** Temporary links to outputs, and sample files for tests to point at. Neither asks for a key. */

const protocol: Wire = {
  name: "files",
  key: () => undefined,
  refuse: ({ status, message, detail }) => ({
    status,
    headers: {},
    body: { Code: detail.code ?? "Error", Message: message },
  }),
  breakOff: () => ({ data: "" }),
};

function download({ params, url, studio, now }: MediaCall): AcceptedRequest {
  return {
    text: "",
    answer: () => studio.files.open(params.name ?? "", url.searchParams.get("token") ?? "", now),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A sample's query may hold directives, so that a link alone can make its reader's life hard. */
function sample({ params, url }: MediaCall): AcceptedRequest {
  const file = sampleNamed(params.name ?? "");
  if (!file) throw new Refusal("missing", `There is no sample ${params.name}.`, { code: "NoSuchKey" });
  return {
    text: decoded(url.search),
    answer: (outcome) => ({
      type: url.searchParams.get("type") ?? file.type,
      bytes: halved(file.bytes, outcome),
    }),
  };
}

const get = { method: "GET", protocol, open: true } as const;

export const files: Route[] = [
  { ...get, operation: "file", path: /^\/files\/(?<name>[^/]+)$/, media: download },
  { ...get, operation: "sample", path: /^\/samples\/(?<name>[^/]+)$/, media: sample },
];
