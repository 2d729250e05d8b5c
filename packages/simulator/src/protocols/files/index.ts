import { truncateIfBroken } from "../../media/media-jobs.ts";
import { Refusal } from "../../refusal.ts";
import { sampleNamed } from "../../samples/index.ts";
import type { AcceptedRequest, MediaCall, Wire } from "../protocol.ts";
import type { Route } from "../route.ts";

/** Temporary links to outputs, and sample files to which tests can point. Neither needs a key. */

const protocol: Wire = {
  name: "files",
  key: () => undefined,
  refuse: ({ status, message, detail }) => ({
    status,
    headers: {},
    body: { Code: detail.code ?? "Error", Message: message },
  }),
  streamError: () => ({ data: "" }),
};

function download({ params, url, mediaStore, now }: MediaCall): AcceptedRequest {
  return {
    text: "",
    answer: () => mediaStore.files.open(params.name ?? "", url.searchParams.get("token") ?? "", now),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Answers with a sample file. The link's query may have directives, such as faults for the program that reads it. */
function sample({ params, url }: MediaCall): AcceptedRequest {
  const file = sampleNamed(params.name ?? "");
  if (!file) throw new Refusal("missing", `There is no sample ${params.name}.`, { code: "NoSuchKey" });
  return {
    text: decoded(url.search),
    answer: (outcome) => ({
      type: url.searchParams.get("type") ?? file.type,
      bytes: truncateIfBroken(file.bytes, outcome),
    }),
  };
}

const get = { method: "GET", protocol, open: true } as const;

export const files: Route[] = [
  { ...get, operation: "file", path: /^\/files\/(?<name>[^/]+)$/, media: download },
  { ...get, operation: "sample", path: /^\/samples\/(?<name>[^/]+)$/, media: sample },
];
