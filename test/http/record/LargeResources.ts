import { randomBytes } from "node:crypto"
import { resource } from "../../support/Sync.ts"

/**
 * Makes a resource whose encrypted envelope has a little more than `kilobytes` KiB, because random bytes do not
 * compress. `x` replaces `+` and `/`, which would divide the text into short words. With such words, 19 of 600
 * resources were classified as specially protected.
 */
export const large = (type: string, id: string, kilobytes: number) => {
  const text = randomBytes(kilobytes * 1024).toString("base64").replaceAll(/[+/]/g, "x")
  return JSON.stringify({ ...JSON.parse(resource(type, id)), text })
}

export const named = (letter: string, count: number, kilobytes: number, type = "Condition") =>
  Array.from({ length: count }, (_, n) => large(type, `${letter}${n}`, kilobytes))
