/** Writes a text string in UTF-16BE (ISO 32000-1, 7.9.2.2) as hex digits, which need no escapes. */
export const textString = (text: string) => `<FEFF${utf16(text)}>`

export const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()

/** Writes a date in UTC (ISO 32000-1, 7.9.4). */
export const dateString = (date: Date) => `(D:${date.toISOString().replace(/\..*/, "").replaceAll(/\D/g, "")}Z)`

/** Writes an ASCII text as a name, with delimiters as their hex codes (ISO 32000-1, 7.3.5). */
export const nameOf = (ascii: string) =>
  `/${
    ascii.replaceAll(
      /[^!-~]|[#%()/<>[\]{}]/g,
      (character) => `#${Buffer.from(character).toString("hex").toUpperCase()}`
    )
  }`
