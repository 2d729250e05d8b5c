import type { ComponentChildren } from "preact";
import { lazy } from "preact-iso";
import { useHasProvider } from "../catalog/has-provider.ts";
import { Icon } from "../ui/icons.tsx";
import type { Key } from "../ui/key-calls.ts";
import { Section } from "../ui/section.tsx";
import { Hello } from "./hello.tsx";
import { areHidden, type Step, stepsOf } from "./steps.ts";

const UseIt = lazy(() => import("../keys/use-it.tsx"));
const FirstCall = lazy(() => import("../keys/first-call.tsx"));

/** The keys whose calls are waited for: as many as a filter takes. */
const MOST = 50;
interface FirstStepsProps {
  hasRequest: boolean;
  keys: readonly Key[];
}

/** How to begin: each step is a real one with its real result, and ticks itself. */
export function FirstSteps({ hasRequest, keys }: FirstStepsProps) {
  const live = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const steps = stepsOf({
    hasRequest,
    hasCall: keys.some(({ lastUsedAt }) => lastUsedAt !== undefined),
    hasProvider: useHasProvider(),
    keys: live.length,
  });
  if (areHidden.value || [...steps.values()].every(Boolean)) return null;
  const bodies: Record<Step, { title: string; body: ComponentChildren }> = {
    request: { title: "Send a request", body: <Hello /> },
    code: {
      title: "Use it from your code",
      body:
        live.length === 0 ? (
          <p>
            <a href="/console/keys?new=key">Create a key</a> first: programs call with one.
          </p>
        ) : (
          <>
            <UseIt />
            <FirstCall
              keyId={live
                .slice(0, MOST)
                .map(({ id }) => id)
                .join(",")}
            />
          </>
        ),
    },
    provider: {
      title: "Add a provider",
      body: (
        <div class="acts">
          <a class="button" href="/console/catalog/add">
            Add a provider
          </a>
          <span class="faint">
            Its key, a test, the models that it lists. Until then all models are simulated.
          </span>
        </div>
      ),
    },
    key: {
      title: "Give out a key",
      body: (
        <div class="acts">
          <a class="button" href="/console/keys?new=key">
            Create a key
          </a>
          <span class="faint">One for each program or person, with caps of its own.</span>
        </div>
      ),
    },
  };
  return (
    <Section
      title="First steps"
      acts={
        <button
          type="button"
          onClick={() => {
            areHidden.value = true;
          }}
        >
          Hide
        </button>
      }
    >
      <ol class="first-steps">
        {[...steps].map(([step, isDone], at) => (
          <li key={step} class={isDone ? "is-done" : ""}>
            <h3>
              <span class="tick" aria-hidden="true">
                {isDone ? <Icon name="check" /> : at + 1}
              </span>
              {bodies[step].title}
              {isDone && <span class="hidden"> (done)</span>}
            </h3>
            {bodies[step].body}
          </li>
        ))}
      </ol>
    </Section>
  );
}
