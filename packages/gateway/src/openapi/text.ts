import type { Json } from "@manifold-gateway/core/codec";

/** Escapes a text for use between tags and in attributes. */
export const plain = (value: Json | undefined): string =>
  String(value ?? "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Converts our texts, which have code in backticks and no other markup. */
export const prose = (value: Json | undefined): string =>
  plain(value).replace(/`([^`]+)`/g, "<code>$1</code>");
