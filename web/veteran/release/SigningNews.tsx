import { type ReactNode, useEffect, useRef } from "react"
import { Action } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Refused } from "./Refused.tsx"
import type { Signing } from "./Signing.ts"
import { useReleaseWords } from "./Words.ts"

/** What became of the latest press: nobody knows yet, it was not signed, or the service refused it. */
export const SigningNews = ({ onChange, signing }: {
  readonly signing: Pick<Signing, "isDoubtful" | "look" | "looking" | "problem" | "wasNot">
  readonly onChange: () => void
}) => {
  const { doubt } = useReleaseWords()
  const { isDoubtful, look, looking, problem, wasNot } = signing
  if (isDoubtful) {
    return (
      <Seen key="doubt">
        <Notice kind="error" live title={doubt.title}>
          <p>{doubt.text}</p>
          <Action kind="outline" busy={looking} onClick={look}>{doubt.look}</Action>
        </Notice>
        <Loading when={looking}>{doubt.looking}</Loading>
      </Seen>
    )
  }
  if (wasNot) {
    return (
      <Seen key="not">
        <Notice kind="info" live title={doubt.not}>{doubt.notText}</Notice>
      </Seen>
    )
  }
  return problem === undefined ? null : (
    <Seen key="refused">
      <Refused problem={problem} onChange={onChange} />
    </Seen>
  )
}

/** Takes the focus when it appears: the pressed button is far below, and the press would seem to do nothing. */
const Seen = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return <div ref={place} tabIndex={-1}>{children}</div>
}
