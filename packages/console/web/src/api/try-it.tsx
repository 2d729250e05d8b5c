import { useSignal } from "@preact/signals";
import { duration } from "../format.ts";
import { parsed } from "../parsed.ts";
import { Field, Form } from "../ui/form.tsx";
import { Json } from "../ui/json.tsx";
import { reach, toIncoming } from "./reach.ts";
import { addressOf, type Entry, placedIn } from "./samples.ts";

interface TryResult {
  status: number;
  ms: number;
  value: unknown;
}

/** Sends a route's call with the browser's session, and shows the answer. */
export function TryIt({ of: entry, body }: { of: Entry; body: unknown }) {
  const { method, path, operation } = entry;
  const values = useSignal<Record<string, string>>({});
  const text = useSignal(body === undefined ? "" : JSON.stringify(body, null, 2));
  const result = useSignal<TryResult | undefined>(undefined);
  const send = async (): Promise<void> => {
    const began = performance.now();
    const hasBody = text.value.trim() !== "";
    const response = await reach(addressOf(entry, values.value), {
      method,
      credentials: "same-origin",
      headers: { "x-console": "1", ...(hasBody && { "content-type": "application/json" }) },
      ...(hasBody && { body: text.value }),
    });
    const answer = await toIncoming(response).text();
    const value = parsed(answer) ?? answer;
    result.value = { status: response.status, ms: performance.now() - began, value };
  };
  return (
    <details>
      <summary>Try it</summary>
      <Form act={`Send ${method}`} isDanger={method === "DELETE"} onSubmit={send}>
        {placedIn(operation).map(({ name, in: place, required = false }) => (
          <Field
            key={`${place} ${name}`}
            label={name}
            required={required}
            value={values.value[name] ?? ""}
            onInput={(value) => {
              values.value = { ...values.value, [name]: value };
            }}
          />
        ))}
        {operation.requestBody && (
          <label class="stack">
            Body
            <textarea
              rows={6}
              spellcheck={false}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value;
              }}
            />
          </label>
        )}
        <p class="faint">It is sent with your session, and does what it says.</p>
      </Form>
      {result.value && (
        <>
          <p role="status">
            Answered {result.value.status} after {duration(result.value.ms)}.
          </p>
          <Json value={result.value.value} label={`The answer of ${method} ${path}`} />
        </>
      )}
    </details>
  );
}
