/** Reads again and again until a state has come. The test's own time limits it. */
export async function until<T>(read: () => Promise<T>, is: (value: T) => boolean, pause = 15): Promise<T> {
  for (;;) {
    const value = await read();
    if (is(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
