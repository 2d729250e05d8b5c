import { expect, it } from "vitest";
import { FormFields } from "../../../packages/gateway/src/http/form-fields.ts";

it("items of a list are fields with brackets, and a refusal says so", () => {
  const fields = new FormFields();
  fields.add("image[]", "a");
  fields.add("image[]", "b");
  fields.add("model", "m");
  expect(fields.object).toEqual({ image: ["a", "b"], model: "m" });
  for (const name of ["model", "model[0]"])
    expect(() => fields.add(name, "n")).toThrow("Each item of a list is a field 'model[]'.");
});
