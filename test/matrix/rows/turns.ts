import type { Chapter } from "../feature.ts";

const rhyme = "Answer in rhyme.";
const hi = { role: "user", content: "Hello." };
const hello = { role: "assistant", content: "Hello, friend." };
const gs = (role: string, text: string) => ({ role, parts: [{ text }] });

/** Who says what, and when. */
export const turns: Chapter = {
  title: "Turns",
  way: "ask",
  features: [
    {
      name: "System text",
      word: rhyme,
      said: {
        chatstyle: { messages: [{ role: "system", content: rhyme }, hi] },
        responses: { instructions: rhyme },
        msgstyle: { system: rhyme },
        genstyle: { systemInstruction: { parts: [{ text: rhyme }] } },
        native: { messages: [{ role: "system", content: rhyme }, hi] },
      },
    },
    {
      name: "System text in the middle of a conversation",
      word: rhyme,
      said: {
        chatstyle: { messages: [hi, hello, { role: "system", content: rhyme }, hi] },
        responses: { input: [hi, hello, { role: "system", content: rhyme }, hi] },
        msgstyle: { messages: [hi, hello, { role: "system", content: rhyme }, hi] },
        native: { messages: [hi, hello, { role: "system", content: rhyme }, hi] },
      },
    },
    {
      name: "Developer text",
      word: rhyme,
      said: {
        chatstyle: { messages: [{ role: "developer", content: rhyme }, hi] },
        responses: { input: [{ role: "developer", content: rhyme }, hi] },
      },
    },
    {
      name: "An earlier answer",
      word: "Hello, friend.",
      said: {
        chatstyle: { messages: [hi, hello, hi] },
        responses: { input: [hi, hello, hi] },
        msgstyle: { messages: [hi, hello, hi] },
        genstyle: { contents: [gs("user", "Hello."), gs("model", "Hello, friend."), gs("user", "Hello.")] },
        native: { messages: [hi, hello, hi] },
      },
    },
    {
      name: "The beginning of the answer",
      word: "Hello, friend.",
      said: {
        chatstyle: { messages: [hi, hello] },
        responses: { input: [hi, hello] },
        msgstyle: { messages: [hi, hello] },
        genstyle: { contents: [gs("user", "Hello."), gs("model", "Hello, friend.")] },
        native: { messages: [hi, hello] },
      },
    },
    {
      name: "An earlier refusal",
      word: "I cannot.",
      said: {
        chatstyle: { messages: [hi, { role: "assistant", content: null, refusal: "I cannot." }, hi] },
        responses: {
          input: [hi, { role: "assistant", content: [{ type: "refusal", refusal: "I cannot." }] }, hi],
        },
      },
      alike: {
        chatstyle: {
          messages: [hi, { role: "assistant", content: [{ type: "refusal", refusal: "I cannot." }] }, hi],
        },
      },
    },
    {
      name: "Earlier thoughts without their state",
      word: "They greet.",
      said: {
        chatstyle: {
          messages: [hi, { role: "assistant", reasoning_content: "They greet.", content: "Hello." }, hi],
        },
        responses: {
          input: [
            hi,
            { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "They greet." }] },
            { role: "assistant", content: "Hello." },
            hi,
          ],
        },
        genstyle: {
          contents: [
            gs("user", "Hello."),
            { role: "model", parts: [{ text: "They greet.", thought: true }, { text: "Hello." }] },
            gs("user", "Hello."),
          ],
        },
      },
    },
    { name: "Name of a speaker", said: { chatstyle: { messages: [{ ...hi, name: "Ada" }] } } },
  ],
};
