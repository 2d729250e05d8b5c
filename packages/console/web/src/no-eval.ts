// The policy of the console allows no code from text, and the schemas of the codecs try whether they may make some
// unless this says no. It has to stand before they are loaded, so the page begins with it.
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };
