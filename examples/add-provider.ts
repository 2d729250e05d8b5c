/**
 * A provider is a declaration: where it is, what it speaks, how it is told the key. This one wants its key in a
 * header of its own and serves the chat protocol below an unusual path; no code is needed for that.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTransport, defineProvider, upstreamHeaders } from "@manifold-gateway/providers";

const seen: { url?: string | undefined; token?: unknown } = {};
const upstream = createServer((req, res) => {
  seen.url = req.url;
  seen.token = req.headers["x-acme-token"];
  res.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true }));
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));

const acme = defineProvider("acme", {
  origin: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/inference/openai`,
  speaks: ["chatstyle"],
  key: "s3cret",
  auth: { header: "x-acme-token" },
  traits: { maxTokensField: "max_tokens", developer: false },
});

const transport = createTransport();
const response = await transport.send({
  origin: acme.origin,
  path: `${acme.speaks.chatstyle?.base}/chat/completions`,
  method: "POST",
  headers: upstreamHeaders(acme, "chatstyle", false),
  body: "{}",
});
assert.equal(response.status, 200);
await response.body.bytes(1024);
assert.deepEqual(seen, { url: "/inference/openai/chat/completions", token: "s3cret" });
console.log(`called ${seen.url}; in a configuration file the same provider reads:`);
console.log(
  JSON.stringify(
    {
      acme: {
        protocol: "chatstyle",
        origin: "https://api.acme.example/inference/openai",
        key: "$" + "{ACME_KEY}",
        auth: { header: "x-acme-token" },
      },
    },
    null,
    2,
  ),
);
await transport.close();
upstream.close();
