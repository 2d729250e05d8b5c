export const codecs = {};
