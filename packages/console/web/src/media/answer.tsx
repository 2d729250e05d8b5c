import type { ComponentChildren } from "preact";
import { PaneFoot } from "../play/pane-foot.tsx";
import { type Called, lossesOf } from "./call.ts";

const WORDS = { running: "answering …", done: "answer complete", failed: "failed", stopped: "stopped" };

interface AnswerBoxProps {
  of: Called<unknown>;
  children: ComponentChildren;
}

/** An answer in its box: what it says, how it ended, and below it what it took, cost and lost. */
export function AnswerBox({ of: { run }, children }: AnswerBoxProps) {
  const losses = lossesOf(run);
  return (
    <section class="job" aria-label="Answer">
      {children}
      {run.fault !== undefined && (
        <p class="wrong" role="alert">
          {run.fault}
        </p>
      )}
      <p role="status" class={run.state === "failed" ? "bad" : "faint"}>
        {WORDS[run.state]}
      </p>
      {losses.length > 0 && (
        <ul class="checks">
          {losses.map((loss) => (
            <li key={loss} class="warn">
              {loss.replace(";", ": ")}
            </li>
          ))}
        </ul>
      )}
      <PaneFoot of={run} losses={losses.length} />
    </section>
  );
}
