import { Effect } from "effect"
import { type ReactNode, useMemo } from "react"
import { pageLimit } from "../../../src/domain/Page.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { useRead } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import type { Client } from "../AppClient.ts"
import { isOwnAct } from "../looks/LookFilter.ts"
import { daysFrom, lastBefore } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import type { ActiveSharing } from "../sharing/ActiveSharing.ts"
import { Named } from "../sharing/Named.tsx"
import { endsSoon } from "../sharing/SharingWords.ts"
import { useHomeWords } from "./Words.ts"
import type { HomeWords } from "./words/English.ts"

const limit = pageLimit.maximum

const readEnded = ({ sharing }: Client) => sharing.list({ params: me, query: { status: "ended", limit } })

/** What needs the veteran's attention. Each line stands here only if it is so, and leads to where more is said. */
export const News = ({ reading: { state } }: { readonly reading: ActiveSharing }) => {
  const { call, previousSessionAt } = useSession()
  const { news } = useHomeWords()
  const ended = useOwnRead(readEnded)
  const looks = useRead(useMemo(
    () =>
      previousSessionAt === null
        ? Effect.succeed(0)
        : Effect.map(
          call(({ disclosures }) =>
            disclosures.list({ params: me, query: { about: "looks", from: previousSessionAt, limit } })
          ),
          (page) => typeof page === "object" ? page.items.filter((line) => !isOwnAct(line)).length : 0
        ),
    [call, previousSessionAt]
  ))
  const soon = state.is === "done" ? state.value.filter((sharing) => endsSoon(sharing, state.at)) : []
  const guessed = ended.state.is === "done" ? guessedIn(ended.state.value.items, ended.state.at) : []
  const count = looks.state.is === "done" ? looks.state.value : 0
  return (
    <>
      {state.is === "done" && soon.length > 0
        ? <Line kind="warning" href={addressOf({ screen: "sharing" })}>{endWords(soon, state.at, news)}</Line>
        : null}
      {guessed.map(({ id, who }) => (
        <Line key={id} kind="warning" href={addressOf({ screen: "looks", by: { kind: "link", id } })}>
          <Named of={news.guessed} name={who.name} />
        </Line>
      ))}
      {count === 0 || previousSessionAt === null ? null : (
        <Line kind="info" href={addressOf({ screen: "looks" })}>
          {(count === limit ? news.manyLooks : news.looks)(dayWords(previousSessionAt), count)}
        </Line>
      )}
    </>
  )
}

const Line = ({ children, href, kind }: {
  readonly children: ReactNode
  readonly href: string
  readonly kind: "info" | "warning"
}) => (
  <Notice kind={kind}>
    <a href={href}>{children}</a>
  </Notice>
)

/** Links that wrong codes turned off. After a link's normal end nobody waits for it, so that is the end of the news. */
const guessedIn = (items: ReadonlyArray<Sharing>, now: Date) =>
  items.filter(({ ended, until }) => ended === "wrong_codes" && until !== null && until > now)

const endWords = (soon: ReadonlyArray<Sharing>, now: Date, words: HomeWords["news"]) => {
  const days = soon.map(({ until }) => until === null ? 0 : Math.max(0, daysFrom(now, lastBefore(until))))
  const most = Math.max(...days)
  if (most === 0) return words.today(soon.length)
  return (days.every((one) => one === most) ? words.in : words.within)(soon.length, most)
}
