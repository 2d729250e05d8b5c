import { explainAt } from "../play/explain.ts";
import { CALLS, type CallName } from "../play/media.ts";
import { Strip } from "../play/strip.tsx";
import { CallActs } from "./acts.tsx";
import type { Calling } from "./call.ts";
import { jsonForms } from "./samples.ts";

interface JsonActsProps {
  name: CallName;
  /** The request. */
  body: Readonly<Record<string, unknown>>;
  /** What the button says. */
  act: string;
  calling: Pick<Calling<unknown>, "isRunning" | "send" | "stop">;
  /** Runs before the request is sent. */
  onSend?: () => void;
}

/** What would become of a request in JSON, and the buttons that send it, stop it and copy it. */
export function JsonActs({ name, body, act, calling: { isRunning, send, stop }, onSend }: JsonActsProps) {
  const text = JSON.stringify(body);
  return (
    <>
      <Strip of={text} ask={(signal) => explainAt(CALLS[name], text, { payer: "playground", signal })} />
      <CallActs
        act={act}
        isRunning={isRunning}
        onSend={() => {
          onSend?.();
          void send(CALLS[name], text);
        }}
        onStop={stop}
        forms={jsonForms(name, body, location.origin)}
      />
    </>
  );
}
