import { Effect } from "effect"
import { useState } from "react"
import type { ProviderGrant } from "../../../src/domain/ConsentGrant.ts"
import { GrantId } from "../../../src/domain/Id.ts"
import { pageLimit } from "../../../src/domain/Page.ts"
import type { Problem } from "../../shared/Problem.ts"
import type { Client } from "../AppClient.ts"
import { wasRefused } from "../Refusals.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { type Draft, endOf, type Recipient } from "./Draft.ts"

/** A share as it was sent. The same end is sent again after a lost answer, so that the share can be recognized. */
interface Attempt {
  readonly draft: Draft
  readonly recipient: Recipient
  readonly expiresAt: Date
  readonly replaces: string | undefined
}

/** A share that was made. */
export type Given = Pick<ProviderGrant, "expiresAt"> & { readonly recipient: Recipient }

const give = Effect.fnUntraced(function*({ consent }: Client, { draft, expiresAt, recipient, replaces }: Attempt) {
  yield* consent.give({
    params: me,
    payload: {
      providerId: recipient.id,
      resourceTypes: draft.kinds,
      sensitiveCategories: draft.categories,
      includeSelfReported: draft.ownWords,
      includeDocuments: draft.documents,
      purpose: draft.purpose.trim(),
      expiresAt,
      ...(replaces === undefined ? {} : { supersedes: GrantId.make(replaces) })
    }
  })
})

/** Whether an attempt without an answer made its share. */
const wasGiven = Effect.fnUntraced(function*({ consent }: Client, { expiresAt, recipient }: Attempt) {
  const { items } = yield* consent.list({ params: me, query: { limit: pageLimit.maximum } })
  return items.some((grant) =>
    grant.status === "active" && grant.providerId === recipient.id && grant.expiresAt.getTime() === expiresAt.getTime()
  )
})

/** Makes the share once, however often the button is pressed. */
export const useGiving = ({ onGiven, onRefused, replaces }: {
  readonly replaces: string | undefined
  readonly onGiven: (given: Given) => void
  readonly onRefused: (problem: Problem) => void
}) => {
  const { busy, call, problem, send, setProblem } = useOwnSending()
  const [doubted, setDoubted] = useState<Attempt>()
  const share = (draft: Draft, recipient: Recipient) => {
    const isAgain = doubted?.draft === draft
    const attempt = isAgain ? doubted : { draft, recipient, replaces, expiresAt: endOf(draft.until, new Date()) }
    send(
      call((client) =>
        Effect.gen(function*() {
          if (!isAgain || !(yield* wasGiven(client, attempt))) yield* give(client, attempt)
        })
      ),
      () => onGiven({ recipient, expiresAt: attempt.expiresAt }),
      (problem) => {
        setDoubted(wasRefused(problem) ? undefined : attempt)
        setProblem(problem)
        onRefused(problem)
      }
    )
  }
  return { busy, share, problem, isDoubtful: problem !== undefined && doubted !== undefined }
}
