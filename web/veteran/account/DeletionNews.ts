import { Effect } from "effect"
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { useRead } from "../../shared/Call.ts"
import { useSession } from "../session/Session.ts"

/** How often the service is asked while the app is open, in milliseconds. Another window may have asked or cancelled. */
const pause = 5 * 60_000

/**
 * Reads when the veteran's data is deleted: null if nobody asked. What this window has just done itself counts until the
 * next answer. `address` is that of the screen: each screen asks anew.
 */
export const useDeletionNews = (address: string) => {
  const { call } = useSession()
  const { again, refresh, state } = useRead(useMemo(
    () =>
      call(({ deletion }) => deletion.find({ params: { veteranId: "me" } })).pipe(
        Effect.map(({ endsAt }): Date | null => endsAt),
        Effect.catchIf(({ error }) => error === "not_found", () => Effect.succeed(null))
      ),
    [call]
  ))
  const [told, setTold] = useState<{ readonly endsAt: Date | null; readonly at: Date }>()
  const [first] = useState(address)
  const [isLater, setLater] = useState(false)
  useEffect(() => askAgain(refresh, pause), [refresh])
  useEffect(() => {
    if (address !== first) setLater(true)
    // The first reading has begun by itself.
    if (address !== first || isLater) refresh()
    // oxlint-disable-next-line react/exhaustive-deps -- it asks once for each screen
  }, [address])
  const tell = useCallback((endsAt: Date | null) => setTold({ endsAt, at: new Date() }), [])
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
