import { useState } from "react"
import type { Invitation } from "../../../src/domain/ProviderInvitation.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Question } from "../../shared/ui/Question.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useProviderSending } from "../session/ProviderSending.ts"

/** The provider's codes, the newest first. A live one is revoked after a question. */
export const CodeList = ({ codes, now, onRevoked }: {
  readonly codes: ReadonlyArray<Invitation>
  readonly now: Date
  readonly onRevoked: () => void
}) => {
  const { busy, call, problem, send, setProblem } = useProviderSending()
  const [asked, setAsked] = useState<Invitation>()
  const revoke = ({ id }: Invitation) =>
    send(call(({ invitations }) => invitations.revoke({ params: { invitationId: id } })), () => {
      setAsked(undefined)
      onRevoked()
    }, (problem) => {
      setAsked(undefined)
      setProblem(problem)
    })
  return (
    <>
      <Trouble problem={problem} />
      <ul className="stack">
        {codes.map((code) => {
          const ended = endOf(code, now)
          return (
            <li key={code.id}>
              Made {dayWords(code.createdAt)}, {ended ?? `good until ${dayWords(code.expiresAt)}`}. Used{" "}
              {code.used === 1 ? "once" : `${code.used} times`}. {ended === undefined
                ? (
                  <Button
                    kind="link"
                    aria-label={`Revoke the code of ${dayWords(code.createdAt)}`}
                    onClick={() => setAsked(code)}
                  >
                    Revoke
                  </Button>
                )
                : null}
            </li>
          )
        })}
      </ul>
      {asked === undefined ? null : (
        <Question
          title="Revoke this code?"
          keep={["Keep it", () => setAsked(undefined)]}
          go={["Revoke it", () => revoke(asked)]}
          busy={busy}
        >
          <p>
            Veterans who scan the sheet with it will find nobody. What they share with you already stays as it is. Take
            the sheet down.
          </p>
        </Question>
      )}
    </>
  )
}

const endOf = ({ expiresAt, revokedAt }: Invitation, now: Date) =>
  revokedAt !== null
    ? `revoked ${dayWords(revokedAt)}`
    : expiresAt <= now
    ? `ended ${dayWords(expiresAt)}`
    : undefined
