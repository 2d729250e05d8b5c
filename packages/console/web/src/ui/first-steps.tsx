import { Copy } from "./parts.tsx";

/** How to begin, while nothing was asked yet: each step is a real one, and the first two tick themselves. */
export function FirstSteps({ hasKey, hasRequest }: { hasKey: boolean; hasRequest: boolean }) {
  const line = `curl ${location.origin}/api/chatstyle/v1/chat/completions -H "x-api-key: $MANIFOLD_KEY" -H "content-type: application/json" -d '{"model":"sim-chat","messages":[{"role":"user","content":"Hello"}]}'`;
  return (
    <section class="empty" aria-label="First steps">
      <h2>First steps</h2>
      <ol class="steps">
        <li>
          <Done if={hasRequest} /> <a href="/console/play">Send a request</a> in the playground, in three
          protocols at the same time.
        </li>
        <li>
          <Done if={hasKey} /> <a href="/console/keys">Create a key</a> for a program, with caps of its own.
        </li>
        <li>
          Call the API from your code. Set MANIFOLD_KEY and run this command:
          <pre>{line}</pre>
          <Copy text={line} label="Copy the command" />
        </li>
      </ol>
    </section>
  );
}

const Done = ({ if: isDone }: { if: boolean }) => (isDone ? <b class="done">Done:</b> : null);
