import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Route, Surface } from "../route.ts";

/** The kinds of credentials. */
export const securitySchemes: JsonObject = {
  apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key." },
  bearerKey: { type: "http", scheme: "bearer", description: "An API key." },
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The token of a session.",
  },
  operator: {
    type: "apiKey",
    in: "header",
    name: "x-admin-key",
    description: "The credential of the operator.",
  },
};

/** The scheme's name of a place where one surface's clients send keys. */
const placeName = (place: { in: string; name: string }): string =>
  `${place.in}_${place.name.replaceAll("-", "_")}`;

/** A surface's own places of credentials, as schemes. */
export const placesOf = ({ credentials = [] }: Surface): JsonObject =>
  Object.fromEntries(
    credentials.map((place) => [
      placeName(place),
      { type: "apiKey", in: place.in, name: place.name, description: "An API key." },
    ]),
  );

/** The credentials of a route, of which any one suffices. */
export function securityOf({ credentials = [] }: Surface, { access }: Route): JsonObject[] {
  const keys = ["apiKey", "bearerKey", ...credentials.map(placeName)];
  const names = {
    open: [],
    key: keys,
    caller: [...keys, "session"],
    session: ["session"],
    operator: ["operator"],
  }[access];
  return names.map((name) => ({ [name]: [] }));
}
