import { Duration } from "effect"
import type { SigningCertificate } from "./SigningFiles.ts"

export type Validity = "early" | "good" | "ending" | "ended"

/** How long before the end the service begins to warn, because renewing a certificate takes days. */
const noticeMillis = Duration.toMillis("30 days")

/** The validity of a certificate at a time, in milliseconds since the epoch. */
export const validityAt = (
  { validFrom, validTo }: Pick<SigningCertificate, "validFrom" | "validTo">,
  now: number
): Validity => {
  if (now < validFrom.getTime()) return "early"
  const left = validTo.getTime() - now
  return left <= 0 ? "ended" : left < noticeMillis ? "ending" : "good"
}

const words = { early: "begins", ending: "ends", ended: "ended" }

/** Starts a sentence about the validity. */
export const validitySentence = (
  { validFrom, validTo }: Pick<SigningCertificate, "validFrom" | "validTo">,
  validity: Exclude<Validity, "good">
): string => {
  const day = (validity === "early" ? validFrom : validTo).toISOString().slice(0, 10)
  return `The certificate that seals releases ${words[validity]} on ${day}`
}
