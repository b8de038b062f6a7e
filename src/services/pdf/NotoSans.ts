import { create, type Font } from "fontkit"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const load = (style: string) => {
  const file = import.meta.resolve(`@expo-google-fonts/noto-sans/${style}/NotoSans_${style}.ttf`)
  return create(readFileSync(fileURLToPath(file))) as Font
}

/** Noto Sans (SIL Open Font License 1.1) has Latin, Greek, Cyrillic and Vietnamese. It is parsed once, at the start. */
export const fonts = { regular: load("400Regular"), bold: load("700Bold") }

/** These scripts run from left to right without joining; of others the font has a part, or shaping takes more. */
const shown = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]$/u

/**
 * Lists what a document cannot show, as code points (`U+05D0`), each once: characters of other scripts, those without a
 * glyph, and those that show nothing or control how others are shown, for with them what is read may not be what is signed.
 * Line breaks and tabs are layout.
 */
export const undrawable = (text: string): ReadonlyArray<string> => {
  const characters = new Set(text.normalize("NFC").replace(/[\n\r\t]/g, ""))
  return [...characters]
    .filter((character) =>
      /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character) || !shown.test(character) ||
      !fonts.regular.hasGlyphForCodePoint(character.codePointAt(0)!)
    )
    .map((character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`)
}
