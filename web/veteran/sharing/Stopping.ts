import { Effect } from "effect"
import { useEffect, useState } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { askAgain } from "../../shared/AskAgain.ts"
import { run, useAction } from "../../shared/Call.ts"
import { useDraft } from "../../shared/Drafts.ts"
import type { Problem } from "../../shared/Problem.ts"
import type { Client } from "../AppClient.ts"
import { wasRefused } from "../Refusals.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import type { ActiveSharing } from "./ActiveSharing.ts"

/** What the veteran wants to stop: one sharing, or all of them. */
export interface StopRequest {
  readonly items: ReadonlyArray<Sharing>
  readonly all: boolean
}

/** What became of the latest stop. `doubt` means that no answer came, so that it may have worked or not. */
export type StopNews =
  | { readonly is: "stopped"; readonly stop: StopRequest }
  | { readonly is: "doubt"; readonly stop: StopRequest; readonly since: Date }
  | { readonly is: "failed"; readonly problem: Problem }

const stopEach = ({ items }: StopRequest) => ({ sharing }: Client) =>
  Effect.forEach(items, ({ id, kind }) => sharing.stop({ params: { ...me, kind, id } }))

const stopAll = ({ sharing }: Client) => sharing.stopAll({ params: me, payload: {} })

const none: ReadonlyArray<string> = []

/** How often the service is asked again while a stop is in doubt, in milliseconds. */
const pause = 5_000

/** Stops sharing after a question. */
export const useStopping = ({ refresh, state }: ActiveSharing) => {
  const { call } = useSession()
  const { busy, start } = useAction()
  const [asked, setAsked] = useState<StopRequest>()
  const [news, setNews] = useState<StopNews>()
  // If the session ends under a stop, the ids are still there after the next sign-in.
  const [unanswered, setUnanswered] = useDraft("stop", none)

  const active = state.is === "done" ? state.value : undefined

  const ask = (items: ReadonlyArray<Sharing>, all = false) => {
    setNews(undefined)
    setAsked({ items, all })
  }

  const confirm = () => {
    if (asked === undefined) return
    setUnanswered(asked.items.map(({ id }) => id))
    start<unknown>(asked.all ? call(stopAll) : call(stopEach(asked)), (outcome) => {
      if (outcome.is === "failed" && outcome.problem.error === "unauthenticated") return
      setUnanswered(none)
      setAsked(undefined)
      setNews(
        outcome.is === "done"
          ? { is: "stopped", stop: asked }
          : wasRefused(outcome.problem)
          ? { is: "failed", problem: outcome.problem }
          : { is: "doubt", stop: asked, since: new Date() }
      )
      refresh()
    })
  }

  // A sign-in lies between the veteran's press and this screen: the same question again.
  useEffect(() => {
    if (active === undefined || busy || unanswered.length === 0) return
    setUnanswered(none)
    const items = active.filter(({ id }) => unanswered.includes(id))
    if (items.length > 0) setAsked({ items, all: items.length > 1 })
  }, [active, busy, unanswered, setUnanswered])

  const doubt = news?.is === "doubt" ? news : undefined

  // Stopping twice changes nothing, so each of them is stopped again until the list says that it has ended.
  useEffect(() => {
    if (doubt === undefined) return
    let end: (() => void) | undefined
    const repeat = () => {
      end?.()
      end = run(call(stopEach(doubt.stop)), refresh)
    }
    const endAsking = askAgain(repeat, pause)
    return () => {
      endAsking()
      end?.()
    }
  }, [call, doubt, refresh])

  const settled = state.is === "done" && doubt !== undefined && state.at > doubt.since &&
    !doubt.stop.items.some(({ id }) => state.value.some((one) => one.id === id))

  useEffect(() => {
    if (settled) setNews({ is: "stopped", stop: doubt.stop })
  }, [settled, doubt])

  // The card with the pressed button may be gone, and the focus must not be lost with it (WCAG 2.4.3).
  useEffect(() => {
    if (news !== undefined) document.querySelector<HTMLElement>("h1")?.focus()
  }, [news])

  return { ask, asked, busy, confirm, keep: () => setAsked(undefined), news, doubted: doubt?.stop.items ?? [] }
}

export type Stopping = ReturnType<typeof useStopping>
