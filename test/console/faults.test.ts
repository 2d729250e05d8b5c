import { expect, it } from "vitest";
import { ApiError } from "../../packages/console/web/src/api/client.ts";
import { faultsOf } from "../../packages/console/web/src/ui/faults.ts";

it("puts what the service refuses beside the field that it names, in words, and the rest at the foot", () => {
  const error = new ApiError(400, [
    "name: Too big: expected string to have <=64 characters",
    "limits.daily: Too small: expected number to be >=0",
    "models: Invalid input: expected array, received string",
    "A cap is above the account's balance.",
  ]);
  const { ofFields, others } = faultsOf(error, (name) => ["name", "limits.daily"].includes(name));
  expect(Object.fromEntries(ofFields)).toEqual({
    name: "Use at most 64 characters.",
    "limits.daily": "Use 0 or more.",
  });
  expect(others).toEqual([
    "models: Invalid input: expected array, received string",
    "A cap is above the account's balance.",
  ]);
  expect(faultsOf(new Error("Type “studio” to revoke it."), () => true).others).toEqual([
    "Type “studio” to revoke it.",
  ]);
});
