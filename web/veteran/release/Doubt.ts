import { Effect } from "effect"
import { useCallback, useEffect, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { pageLimit } from "../../../src/domain/Page.ts"
import type { SignedRelease } from "../../../src/domain/Release.ts"
import { statementsVersion } from "../../../src/domain/ReleaseStatements.ts"
import { askAgain } from "../../shared/AskAgain.ts"
import { useAction } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import type { Attempt } from "./Memory.ts"
import { digestOfOwn, ownAuthorization } from "./OwnRelease.ts"

/** A release that was signed. After a lost answer, its warnings are not known. */
export interface Signed {
  readonly document: Document
  readonly recipient: string
  readonly warnings: (typeof SignedRelease.Type)["warnings"]
  /** The record changed between the check of the preview and the signature. */
  readonly isNewer: boolean
}

/** How often the service is asked while nobody knows whether it was signed, in milliseconds. */
const pause = 10_000

/** A request waits a minute at most for its turn, and is then made in less. In milliseconds. */
const longestSigning = 150_000

/** The newest releases. One that was just signed is on the first page. */
export const newestReleases = ({ documents }: Client) =>
  Effect.map(
    documents.list({ params: me, query: { limit: pageLimit.maximum } }),
    ({ items }) => items.filter(({ kind }) => kind === "roi")
  )

/** Finds the release of an attempt. Only that release has its digest. */
const findNow = Effect.fnUntraced(function*(client: Client, { digest, known }: Attempt) {
  for (const document of (yield* newestReleases(client)).filter(({ id }) => !known.includes(id))) {
    const own = yield* ownAuthorization(client, document.id)
    if ((yield* digestOfOwn(own)) === digest) return document
  }
  return undefined
})

/**
 * Waits until no signing is under way: the service makes a veteran's previews and releases one after another. The
 * preview is of a kind that no record has, so that it is made at once and names nobody.
 */
const untilQuiet = ({ roi }: Client) =>
  roi.preview({
    params: me,
    payload: {
      veteran: { fullName: "-", dateOfBirth: "1900-01-01" },
      information: { resourceTypes: ["OperationOutcome"] },
      disclosingParty: { name: "-" },
      recipient: { name: "-", email: "nobody@example.org" },
      purpose: { code: "personal" },
      expiration: { event: "-" },
      statementsVersion
    }
  })

/** Finds the release of an attempt whose answer was lost, also if it is still being made. */
const find = Effect.fnUntraced(function*(client: Client, attempt: Attempt) {
  const found = yield* findNow(client, attempt)
  if (found !== undefined) return found
  const isOver = () => Date.now() - attempt.at > longestSigning
  yield* Effect.catchIf(untilQuiet(client), isOver, () => Effect.void)
  return yield* findNow(client, attempt)
})

/**
 * Looks for the release of an attempt whose answer was lost, again and again until the service has told. Without an
 * attempt it does nothing. `wasNot` tells that nothing was signed. The two functions must not change.
 */
export const useDoubt = (attempt: Attempt | undefined, onSigned: (signed: Signed) => void, onKnown?: () => void) => {
  const { call } = useSession()
  const { busy: looking, start } = useAction()
  const [wasNot, setWasNot] = useState(false)
  const doubted = wasNot ? undefined : attempt
  const look = useCallback(() => {
    if (doubted === undefined) return
    start(call((client) => find(client, doubted)), (outcome) => {
      if (outcome.is === "failed") return
      onKnown?.()
      if (outcome.value === undefined) return setWasNot(true)
      onSigned({ document: outcome.value, recipient: doubted.recipient, warnings: [], isNewer: false })
    })
  }, [call, doubted, onKnown, onSigned, start])
  useEffect(() => {
    if (doubted === undefined) return
    look()
    return askAgain(look, pause)
  }, [doubted, look])
  return { look, looking, wasNot, setWasNot }
}
