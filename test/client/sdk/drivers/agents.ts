import { Agent, type AgentInputItem, AgentsError, OpenAIProvider, Runner, tool } from "@openai/agents";
import { OpenAIError } from "openai";
import { type Answer, type Ask, type Driver, PERSON, thrownBy, WEATHER } from "../driver.ts";
import { openai } from "./openai-chat.ts";

/** What the run of an agent is about to do: to end, or to wait for the result of a call. */
interface Steps {
  called: PromiseWithResolvers<Answer>;
  result: PromiseWithResolvers<string>;
}

const steps = (): Steps => ({ called: Promise.withResolvers(), result: Promise.withResolvers() });

function agents(useResponses: boolean): Driver {
  const name = `@openai/agents, ${useResponses ? "responses" : "chat completions"}`;
  return {
    name,
    wire: useResponses ? "responses" : "chatstyle",
    // The Agents SDK throws the errors of openai's client, and its own for what an agent does.
    thrown: (error) => thrownBy(error, [OpenAIError, AgentsError], (own) => own.status),
    open(ask: Ask) {
      let now = steps();
      const weather = tool({
        ...WEATHER,
        strict: true,
        execute(args, _, details) {
          const id = details?.toolCall?.callId ?? "";
          now.called.resolve({ text: "", calls: [{ id, name: WEATHER.name, args }] });
          return now.result.promise;
        },
      });
      const agent = new Agent({
        name: "agent",
        model: ask.model,
        ...(ask.tools && { tools: [weather] }),
        ...(ask.format && {
          outputType: { type: "json_schema", name: "person", strict: true, schema: PERSON },
        }),
        modelSettings: { store: false, ...(ask.reasons && { reasoning: { effort: "medium" } }) },
      });
      const runner = new Runner({
        modelProvider: new OpenAIProvider({ openAIClient: openai(ask.send), useResponses }),
        tracingDisabled: true,
      });
      const run = async (input: AgentInputItem[]): Promise<Answer> => {
        const options = { ...(ask.signal && { signal: ask.signal }) };
        const result = ask.stream
          ? await runner.run(agent, input, { ...options, stream: true })
          : await runner.run(agent, input, options);
        if ("toTextStream" in result) {
          for await (const text of result.toTextStream()) ask.onText?.(text);
          await result.completed;
          if (ask.signal?.aborted) throw ask.signal.reason;
        }
        const { finalOutput } = result;
        const [reply] = result.rawResponses.slice(-1);
        return {
          text: typeof finalOutput === "string" ? finalOutput : JSON.stringify(finalOutput),
          calls: [],
          ...(reply && { usage: { input: reply.usage.inputTokens, output: reply.usage.outputTokens } }),
        };
      };
      let running: Promise<Answer>;
      return {
        say(text, image) {
          running = run([
            {
              role: "user",
              content: [
                { type: "input_text", text },
                ...(image ? [{ type: "input_image" as const, image: `data:image/png;base64,${image}` }] : []),
              ],
            },
          ]);
          return Promise.race([running, now.called.promise]);
        },
        result(_, text) {
          const before = now;
          now = steps();
          before.result.resolve(text);
          return Promise.race([running, now.called.promise]);
        },
      };
    },
  };
}

export const agentsDrivers: Driver[] = [agents(true), agents(false)];
