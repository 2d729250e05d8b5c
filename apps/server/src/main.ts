#!/usr/bin/env node
// The only static import: an older Node would refuse the others by an error of syntax, before it runs anything.
import "./require-node.ts";

await import("./command-line.ts");
