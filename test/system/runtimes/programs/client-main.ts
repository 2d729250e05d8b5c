import { answersOf } from "./client.ts";

// Node, Deno and Bun have this object, and its arguments need no permission.
console.log(JSON.stringify(await answersOf(process.argv[2] ?? "")));
