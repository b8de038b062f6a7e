import { randomBytes } from "node:crypto"
import { resource } from "../../support/Sync.ts"

/**
 * A resource whose envelope has a little more than `kilobytes`: random bytes do not compress. They form one word of
 * letters and digits. In plain base64 short words stand between the signs, and 19 of 600 such resources were
 * classified.
 */
export const large = (type: string, id: string, kilobytes: number) => {
  const text = randomBytes(kilobytes * 1024).toString("base64").replaceAll(/[+/]/g, "x")
  return JSON.stringify({ ...JSON.parse(resource(type, id)), text })
}

export const named = (letter: string, count: number, kilobytes: number, type = "Condition") =>
  Array.from({ length: count }, (_, n) => large(type, `${letter}${n}`, kilobytes))
