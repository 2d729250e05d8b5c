import type { TextRequest } from "@manifold-gateway/core";
import type { ToolChoice } from "@manifold-gateway/core/ir";
import { Select } from "../ui/select.tsx";
import { changeRequest } from "./desk.ts";
import { JsonField } from "./json-field.tsx";
import { RefusedField } from "./text-refusal.tsx";
import { useTextSchemas } from "./text-schemas.ts";
import { exampleTool, toolsFromJson, toolsToJson } from "./tools.ts";

/** A request with a member set, or without it. */
export function withMember<Name extends keyof TextRequest>(
  request: TextRequest,
  name: Name,
  value: TextRequest[Name] | undefined,
): TextRequest {
  const { [name]: _, ...rest } = request;
  return (value === undefined ? rest : { ...rest, [name]: value }) as TextRequest;
}

/** The tools of a request, and which of them are to be called. */
export function ToolFields({ of: { tools, toolChoice } }: { of: TextRequest }) {
  const names = (tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool.name] : []));
  const choose = (change: (choice: ToolChoice) => ToolChoice): void =>
    changeRequest((request) => {
      const choice = change(request.toolChoice ?? {});
      return withMember(request, "toolChoice", Object.keys(choice).length > 0 ? choice : undefined);
    });
  const [only] = toolChoice?.names ?? [];
  const isRefused = useTextSchemas().isRefused("tools");
  if (isRefused)
    return (
      <RefusedField
        title="Tools"
        name="tools"
        onLeaveOut={tools && (() => changeRequest((request) => withMember(request, "tools", undefined)))}
      />
    );
  return (
    <>
      <JsonField
        label="Tools"
        value={tools}
        toJson={toolsToJson}
        fromJson={toolsFromJson}
        placeholder="[]"
        hint={
          tools ? (
            `${names.length === 1 ? "One function" : `${names.length} functions`}. The forms of all protocols are read.`
          ) : (
            <button
              type="button"
              class="quiet"
              onClick={() => changeRequest((request) => ({ ...request, tools: [exampleTool] }))}
            >
              Insert an example
            </button>
          )
        }
        onChange={(value) =>
          changeRequest((request) => withMember(request, "tools", value?.length ? value : undefined))
        }
      />
      {tools && (
        <div class="pair">
          <Select
            label="Tool choice"
            value={only ?? toolChoice?.mode ?? ""}
            options={[
              { value: "", text: "not set" },
              { value: "auto", text: "auto", note: "the model decides" },
              { value: "required", text: "required", note: "at least one call" },
              { value: "none", text: "none", note: "no call" },
              ...names.map((name) => ({ value: name, text: name, note: "this one" })),
            ]}
            onChange={(value) =>
              choose(({ parallel }) => ({
                ...(parallel !== undefined && { parallel }),
                ...(names.includes(value)
                  ? { mode: "required", names: [value] }
                  : value !== "" && { mode: value as NonNullable<ToolChoice["mode"]> }),
              }))
            }
          />
          <Select
            label="Calls at a time"
            value={toolChoice?.parallel === undefined ? "" : String(toolChoice.parallel)}
            options={[
              { value: "", text: "not set" },
              { value: "true", text: "several" },
              { value: "false", text: "one" },
            ]}
            onChange={(value) =>
              choose(({ parallel: _, ...choice }) => ({
                ...choice,
                ...(value !== "" && { parallel: value === "true" }),
              }))
            }
          />
        </div>
      )}
    </>
  );
}
