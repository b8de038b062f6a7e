/** Normalizes text for search: without case, accents and compatibility forms (Unicode NFKD). */
export const folded = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : text.normalize("NFKD").replaceAll(/\p{Mn}/gu, "").toLowerCase()

// oxlint-disable-next-line eslint/no-control-regex -- all of ASCII
const plain = /^[\x00-\x7f]*$/
