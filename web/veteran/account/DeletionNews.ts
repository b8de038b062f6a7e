import { Effect } from "effect"
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { useRead } from "../../shared/Call.ts"
import { onHash } from "../../shared/Listen.ts"
import type { Client } from "../AppClient.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import { useAccountWords } from "./Words.ts"

/** How often the app asks while it is open, in milliseconds. Another window may have asked or cancelled. */
const pause = 5 * 60_000

/** A screen that opens asks only if the latest answer is older, in milliseconds. */
const fresh = 30_000

/**
 * When the data is deleted, or null. Nearly nobody has asked for a deletion. Each answer would be a 404, which browsers
 * log as an error. So the newest event is read first.
 */
const find = Effect.fnUntraced(function*({ deletion, disclosures }: Client) {
  const kind = ["deletion_asked", "deletion_cancelled"] as const
  const page = yield* disclosures.list({ params: me, query: { kind, limit: 1 } })
  if (typeof page === "string" || page.items[0]?.kind !== "deletion_asked") return null
  const { endsAt } = yield* deletion.find({ params: me })
  return endsAt
})

/**
 * Reads when the veteran's data is deleted: null if nobody asked. What this window has just done itself counts until
 * the answer to a read that began later.
 */
export const useDeletionNews = () => {
  const { call } = useSession()
  const { again, refresh, state } = useRead(useMemo(
    () => Effect.catchIf(call(find), ({ error }) => error === "not_found", () => Effect.succeed(null)),
    [call]
  ))
  const [told, setTold] = useState<{ readonly endsAt: Date | null; readonly at: Date }>()
  useEffect(() => askAgain(refresh, pause), [refresh])
  const answeredAt = state.is === "done" ? state.at : undefined
  useEffect(() => {
    const ask = () => answeredAt !== undefined && Date.now() - answeredAt.getTime() > fresh ? refresh() : undefined
    return onHash(ask)
  }, [answeredAt, refresh])
  const tell = useCallback((endsAt: Date | null) => {
    setTold({ endsAt, at: new Date() })
    refresh()
  }, [refresh])
  const read = state.is === "done" ? state : undefined
  const isNewer = told !== undefined && (read === undefined || read.at < told.at)
  return { state, endsAt: isNewer ? told.endsAt : read?.value, again, refresh, tell }
}

export type DeletionNews = ReturnType<typeof useDeletionNews>

export const DeletionContext = createContext<DeletionNews | undefined>(undefined)

export const useDeletion = () => {
  const news = useContext(DeletionContext)
  if (news === undefined) throw new Error("No screen of the app is shown without the news of a deletion.")
  return news
}

/** Why nothing new is stored or shared now, for `Button`'s `off`: the veteran's data is about to be deleted. */
export const useDeletionOff = () => {
  const { deletion } = useAccountWords()
  const { endsAt } = useDeletion()
  return endsAt === undefined || endsAt === null ? undefined : deletion.off
}
