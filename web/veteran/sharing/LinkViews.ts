import { Effect } from "effect"
import { useEffect, useState } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import type { SecureLink } from "../../../src/domain/VeteranLink.ts"
import { allPages } from "../../shared/AllPages.ts"
import { run } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"

/** How a link was read, and who the reader says they are. */
export type LinkViewed = Pick<SecureLink, "claimedRecipient" | "viewedVia">

/** Reads the links, the newest first, until all of these are there. */
const readViews = (wanted: ReadonlySet<string>) => ({ secureLinks }: Client) => {
  const among = (links: ReadonlyArray<SecureLink>) => links.filter(({ id }) => wanted.has(id))
  return Effect.map(
    allPages(
      (query) => secureLinks.list({ params: me, query }),
      (links) => among(links).length >= wanted.size
    ),
    (links): typeof nothing => new Map(among(links).map((link) => [link.id, link]))
  )
}

const nothing: ReadonlyMap<string, LinkViewed> = new Map()

/**
 * How the links among these were read, which the list of all sharing does not say. It asks again when a link was read
 * once more. `at` is the time of the list: an answer that did not come is asked for with the next one.
 */
export const useLinkViews = (list: ReadonlyArray<Sharing>, at: Date | undefined) => {
  const { call } = useSession()
  const [answer, setAnswer] = useState<{ readonly of: string; readonly views: typeof nothing }>()
  const read = list.filter(({ steps }) => steps !== null && steps.viewedAt !== null)
  const of = JSON.stringify(read.map(({ id, looks }) => [id, looks.count]))
  const isKnown = read.length === 0 || answer?.of === of
  useEffect(() => {
    if (isKnown || at === undefined) return
    const wanted = new Set((JSON.parse(of) as ReadonlyArray<readonly [string, number]>).map(([id]) => id))
    return run(call(readViews(wanted)), (outcome) => {
      if (outcome.is === "done") setAnswer({ of, views: outcome.value })
    })
  }, [at, call, isKnown, of])
  return answer?.views ?? nothing
}
