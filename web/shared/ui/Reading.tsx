import type { ReactNode } from "react"
import type { State } from "../Call.ts"
import { Loading } from "./Loading.tsx"
import { Trouble } from "./Trouble.tsx"

/** A part of a page that is read: it loads, it failed and may be tried again, or it is there for `children`. */
export function Reading<A>({ children, loading, of: { again, state }, refresh }: {
  readonly of: { readonly state: State<A>; readonly again: () => void }
  /** What is said while it loads, if it is not the usual words. */
  readonly loading?: string
  /** Refreshes what is there. Given, it says too why the latest refresh failed. */
  readonly refresh?: (() => void) | undefined
  readonly children?: (value: A, at: Date) => ReactNode
}) {
  return (
    <>
      <Loading when={state.is === "pending"}>{loading}</Loading>
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {refresh === undefined || state.is !== "done" || state.trouble === undefined
        ? null
        : <Trouble problem={state.trouble} again={refresh} />}
      {state.is === "done" ? children?.(state.value, state.at) : null}
    </>
  )
}
