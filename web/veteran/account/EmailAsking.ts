import { Schema } from "effect"
import { emailChangeLimits } from "../../../src/domain/EmailChange.ts"
import { EmailAddress } from "../../../src/domain/Scalars.ts"
import type { Problem } from "../../shared/Problem.ts"
import { problemText, waitOf } from "../../shared/Words.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { me, useOwnSending } from "../session/Own.ts"
import type { EmailDraft } from "./EmailDraft.ts"
import { isDeclined, isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"
import type { AccountWords } from "./words/English.ts"

const isAddress = Schema.is(EmailAddress)

/** Asks for a code to an address. A newer code ends the older one, also if its answer was lost. */
export const useEmailAsking = (
  onSent: (sent: EmailDraft) => void,
  setTrouble: (trouble: string | undefined) => void
) => {
  const { email: words } = useAccountWords()
  const { busy, call, send } = useOwnSending()
  const confirmed = useConfirmed()
  const ask = (email: string, sentAgain = false) => {
    if (!isAddress(email)) return setTrouble(words.malformed)
    setTrouble(undefined)
    send(
      confirmed(call(({ veteranAccount }) => veteranAccount.askEmail({ params: me, payload: { email } }))),
      ({ challengeId }) => onSent({ email, challengeId, sentAgain }),
      (problem) => setTrouble(isDeclined(problem) ? undefined : troubleWords(words, problem))
    )
  }
  return { ask, busy }
}

const troubleWords = (words: AccountWords["email"], problem: Problem) => {
  if (isDoubtful(problem)) return words.unanswered
  switch (problem.error) {
    case "conflict":
      return words.same
    case "invalid_request":
      return words.malformed
    case "rate_limited":
      return words.tooMany(waitOf(problem.retryAfterSeconds ?? 60), emailChangeLimits.changesPerDay)
    default:
      return problemText(problem)
  }
}
