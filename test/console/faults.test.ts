import { expect, it } from "vitest";
import { ApiError } from "../../packages/console/web/src/api/client.ts";
import { faultsOf } from "../../packages/console/web/src/ui/faults.ts";

const refusal = (texts: string[], fields: ApiError["fields"] = []): ApiError =>
  new ApiError(400, texts, "invalid_request", "req", "/api", fields);

it("puts what the service refuses beside the field that it names, and the rest at the foot", () => {
  const error = refusal(
    ["name: must have at most 64 characters", "…"],
    [
      { path: ["name"], text: "must have at most 64 characters" },
      { path: ["limits", "daily"], text: "must be 0 or more" },
      { path: ["login"], text: "Another account has this login." },
      { path: ["models", 0], text: "must be text, and is a number" },
      { path: [], text: "must be an object, and is a list" },
    ],
  );
  const { ofFields, others } = faultsOf(error, (name) => ["name", "limits.daily", "login"].includes(name));
  expect(Object.fromEntries(ofFields)).toEqual({
    name: "Must have at most 64 characters.",
    "limits.daily": "Must be 0 or more.",
    login: "Another account has this login.",
  });
  expect(others).toEqual(["models.0: must be text, and is a number", "must be an object, and is a list"]);
});

it("has no field for a refusal that names none, or for an error of the page", () => {
  const sentence = "name: A cap is above the account's balance.";
  expect(faultsOf(refusal([sentence]), () => true)).toEqual({ ofFields: new Map(), others: [sentence] });
  expect(faultsOf(new Error("Type “studio” to revoke it."), () => true).others).toEqual([
    "Type “studio” to revoke it.",
  ]);
});
