/** As a search compares: without case, accents and the forms of letters (Unicode NFKD). */
export const folded = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : text.normalize("NFKD").replaceAll(/\p{Mn}/gu, "").toLowerCase()

// oxlint-disable-next-line eslint/no-control-regex -- all of ASCII
const plain = /^[\x00-\x7f]*$/
