import { Schema } from "effect"
import { emailChangeLimits } from "../../../src/domain/EmailChange.ts"
import { EmailAddress } from "../../../src/domain/Scalars.ts"
import { useAction } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { problemText, waitOf } from "../../shared/Words.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { useSession } from "../session/Session.ts"
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
  const { call } = useSession()
  const confirmed = useConfirmed()
  const { busy, start } = useAction()
  const ask = (email: string, sentAgain = false) => {
    if (!isAddress(email)) return setTrouble(words.malformed)
    setTrouble(undefined)
    const asking = call(({ veteranAccount }) =>
      veteranAccount.askEmail({ params: { veteranId: "me" }, payload: { email } })
    )
    start(
      confirmed(asking),
      (outcome) =>
        outcome.is === "done"
          ? onSent({ email, challengeId: outcome.value.challengeId, sentAgain })
          : setTrouble(isDeclined(outcome.problem) ? undefined : troubleWords(words, outcome.problem))
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
