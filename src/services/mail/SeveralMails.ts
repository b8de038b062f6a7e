import { letter } from "./Letter.ts"
import type { Mail } from "./Mailer.ts"

/** More are only counted, because a mail of thousands of lines is read by nobody. */
const maxTold = 100

/** Tells in one mail, to its receiver, what several mails to a veteran would have told. The first is the newest. */
export const together = (mails: readonly [Mail, ...ReadonlyArray<Mail>]): Mail =>
  mails.length === 1 ? mails[0] : letter(
    mails[0].to,
    "What happened in your account",
    (words) =>
      words.several({
        told: mails.slice(0, maxTold).flatMap(({ tells }) => tells?.(words) ?? []),
        more: Math.max(0, mails.length - maxTold)
      })
  )
