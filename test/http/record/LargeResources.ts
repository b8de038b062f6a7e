import { randomBytes } from "node:crypto"
import { resource } from "../../support/Sync.ts"

/** A resource whose envelope has a little more than `kilobytes`, for what is random does not compress. */
export const large = (type: string, id: string, kilobytes: number) => {
  const text = randomBytes(kilobytes * 1024).toString("base64")
  return JSON.stringify({ ...JSON.parse(resource(type, id)), text })
}

export const named = (letter: string, count: number, kilobytes: number, type = "Condition") =>
  Array.from({ length: count }, (_, n) => large(type, `${letter}${n}`, kilobytes))
