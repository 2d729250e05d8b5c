/** What is drawn of a long list at one time: thousands of models take a browser seconds. */
export const AT_ONCE = 200;
