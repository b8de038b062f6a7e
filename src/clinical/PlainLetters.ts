/** Letters that no decomposition makes plain. The last one is a sigma at the end of a word. */
const plain: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ς: "σ"
}

/** The maximum number of characters that are compared. Nobody's name is as long. */
const maxNameLength = 1000

/** A name without accents and capitals, so that names can be compared. Only its first 1000 characters are read. */
export const plainLetters = (name: string): string =>
  name.slice(0, maxNameLength).normalize("NFKD").toLowerCase()
    .replaceAll(/[łøđðıßæœς]/g, (letter) => plain[letter]!)
    .replaceAll(/\p{M}/gu, "")
