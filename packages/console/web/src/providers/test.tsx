import { useSignal } from "@preact/signals";
import { type Answer, call } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { Failed } from "../ui/parts.tsx";

type Test = Answer<"/api/admin/providers/{providerId}/test", "post">;
type Result = Test | Error | "running" | undefined;

/** A button that lists a provider's models with its key, and what came of it. */
export function useTest(id: string) {
  const test = useSignal<Result>(undefined);
  const run = async (): Promise<void> => {
    test.value = "running";
    test.value = await call("post", "/api/admin/providers/{providerId}/test", {
      path: { providerId: id },
    }).catch((error: Error) => error);
  };
  return {
    button: (
      <button type="button" aria-label={`Test ${id}`} aria-disabled={test.value === "running"} onClick={run}>
        Test
      </button>
    ),
    result: (
      <div aria-live="polite">
        <TestResult of={test.value} />
      </div>
    ),
  };
}

function TestResult({ of: result }: { of: Result }) {
  if (result === undefined) return null;
  if (result === "running") return <p>Listing its models …</p>;
  if (result instanceof Error) return <Failed error={result} />;
  if (!result.isReached) return <p class="wrong">The test failed: {result.error}</p>;
  const shown = result.models.slice(0, 20).join(", ");
  return (
    <p class="good">
      It lists {count(result.models.length)} models in {duration(result.ms)}: {shown}
      {result.models.length > 20 && " …"}
    </p>
  );
}
