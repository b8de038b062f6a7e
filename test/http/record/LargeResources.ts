import { randomBytes } from "node:crypto"
import { resource } from "../../support/Sync.ts"

/**
 * Makes a resource whose encrypted envelope has a little more than `kilobytes`, because random bytes do not compress.
 * The text is one long word of letters and digits. Plain base64 also has short words between `+` and `/`: because of
 * them, 19 of 600 such resources were classified.
 */
export const large = (type: string, id: string, kilobytes: number) => {
  const text = randomBytes(kilobytes * 1024).toString("base64").replaceAll(/[+/]/g, "x")
  return JSON.stringify({ ...JSON.parse(resource(type, id)), text })
}

export const named = (letter: string, count: number, kilobytes: number, type = "Condition") =>
  Array.from({ length: count }, (_, n) => large(type, `${letter}${n}`, kilobytes))
