import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { lazy } from "preact-iso";
import { call } from "../api/client.ts";
import { operator } from "../state/session.ts";
import { Icon } from "../ui/icons.tsx";
import type { Key } from "../ui/key-calls.ts";
import { Section } from "../ui/section.tsx";
import { Hello } from "./hello.tsx";
import { areHidden, hideSteps, type Step, stepsOf } from "./steps.ts";

const UseIt = lazy(() => import("../keys/use-it.tsx"));
const FirstCall = lazy(() => import("../keys/first-call.tsx"));

/** The keys whose calls are waited for: as many as a filter takes. */
const MOST = 50;
/** Providers whose models are simulated. */
const SIMULATED = /^simulator\b/;

/** Whether there is a provider that is not simulated; undefined for who may not know. */
function useHasProvider(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["admin", "state"],
    queryFn: ({ signal }) => call("get", "/api/admin/state", { signal }),
    enabled: operator.value !== null,
  });
  if (operator.value === null) return undefined;
  return data?.providers.some(({ id }) => !SIMULATED.test(id)) ?? false;
}

interface FirstStepsProps {
  hasRequest: boolean;
  keys: readonly Key[];
}

/** How to begin: each step is a real one with its real result, and ticks itself. */
export function FirstSteps({ hasRequest, keys }: FirstStepsProps) {
  const isHidden = useSignal(areHidden());
  const live = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const steps = stepsOf({
    hasRequest,
    hasCall: keys.some(({ lastUsedAt }) => lastUsedAt !== undefined),
    hasProvider: useHasProvider(),
    keys: live.length,
  });
  if (isHidden.value || [...steps.values()].every(Boolean)) return null;
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
          <a class="button" href="/console/providers">
            Providers
          </a>
          <span class="faint">All models are simulated until then: nothing leaves this machine.</span>
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
            hideSteps();
            isHidden.value = true;
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
