import type { ReactNode } from "react"
import type { State } from "../Call.ts"
import { Loading } from "./Loading.tsx"
import { Trouble } from "./Trouble.tsx"

/** A part of a page that is read: it loads, it failed and may be tried again, or it is there for `children`. */
export function Reading<A>({ children, loading, of: { again, state } }: {
  readonly of: { readonly state: State<A>; readonly again: () => void }
  /** What is said while it loads, if it is not the usual words. */
  readonly loading?: string
  readonly children?: (value: A, at: Date) => ReactNode
}) {
  return (
    <>
      <Loading when={state.is === "pending"}>{loading}</Loading>
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" ? children?.(state.value, state.at) : null}
    </>
  )
}
