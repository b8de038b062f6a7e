import { useLayoutEffect, useRef } from "react"
import { useRead } from "../../shared/Call.ts"
import { Problem } from "../../shared/Problem.ts"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { vaConfiguration } from "../VaConfiguration.ts"
import { goToVa } from "./Connect.ts"
import type { Purpose } from "./VaReturn.ts"
import { connectText, useConnectWords } from "./Words.ts"

/** The button that leads to the VA's sign-in and back to this address, and why the last sign-in failed. */
export const ToVa = ({ children, kind = "main", off, purpose, refusal }: {
  readonly children: string
  readonly refusal?: Problem | undefined
  readonly kind?: "main" | "outline"
  readonly purpose?: Purpose
  /** Why it cannot be used now. */
  readonly off?: string | undefined
}) => {
  const words = useConnectWords()
  const { busy, off: offline, problem, send } = useSending(refusal)
  const { state: configured } = useRead(vaConfiguration)
  const va = configured.is === "done" ? configured.value : undefined
  const shown = configured.is === "done" && va === undefined ? Problem.make({ error: "va_missing" }) : problem
  const go = () => send(goToVa(location.hash, purpose), () => {})
  return (
    <>
      {shown === undefined ? null : <Refusal of={shown} />}
      <Action kind={kind} busy={busy} off={offline ?? off} onClick={go}>{children}</Action>
      <Loading when={busy}>{words.going}</Loading>
      {va?.sandbox === true ? <p className="soft">{words.sandbox}</p> : null}
    </>
  )
}

/** Takes the focus when it appears, for people who see one part of the page at a time. */
export const Refusal = ({ of }: { readonly of: Problem }) => {
  const place = useRef<HTMLDivElement>(null)
  useConnectWords()
  useLayoutEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind={of.error === "va_denied" ? "info" : "error"} live>{connectText(of)}</Notice>
    </div>
  )
}
