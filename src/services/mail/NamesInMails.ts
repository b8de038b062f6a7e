/** Digits of any script. Chinese numerals are letters to Unicode, and people read telephone numbers in them too. */
const digits = /[\p{N}零一二三四五六七八九]{5}/u

/** What may stand between the digits of a number: blanks, punctuation, symbols and accents. */
const separators = /[^\p{L}\p{N}]/gu

/**
 * What a mail program may show as an address or a link. A full stop of any script before two letters may be that of a
 * host's name. In another script, one letter may do.
 */
const address = /[@:/\\<>]|\bwww\b|\.[\p{L}\p{N}\p{M}]{2}|[^\P{Sentence_Terminal}.][\p{L}\p{N}\p{M}]/iu

/** What no name is written with: control and format characters, and the ends of lines and paragraphs. */
const unwritable = /[\p{C}\p{Zl}\p{Zp}]/u

/** Maximum number of UTF-16 code units of a name. */
const maxLength = 100

/**
 * Returns a person's text as a mail may show it, after NFKC. Our own mail must not carry somebody else's message. So
 * the result is undefined for a text that holds an address, a link, or five digits of a telephone number. The mail
 * then uses a word such as "an app". The pages show the text itself.
 */
export const nameInMail = (text: string): string | undefined => {
  const name = text.normalize("NFKC")
  const seen = name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
  const isName = name.length <= maxLength && !unwritable.test(name) && !address.test(seen) &&
    !digits.test(seen.replaceAll(separators, ""))
  return isName ? name : undefined
}
