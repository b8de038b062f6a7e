import type { Effect } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { PasskeyTrouble } from "./PasskeyTrouble.tsx"
import { signedInByPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { usePasskeyWords } from "./Words.ts"

type Kind = "main" | "link"

/** A button for a step by a touch, where the browser can. If the veteran changes their mind, nothing is said. */
export function ByTouch<A>({ children, kind, onDone, step }: {
  readonly children: string
  readonly kind: Kind
  readonly step: Effect.Effect<A, Problem>
  readonly onDone: (value: A) => void
}) {
  const { opening } = usePasskeyWords()
  const { busy, off, problem, send } = useSending()
  if (!hasPasskeys) return null
  return (
    <>
      <PasskeyTrouble of={problem} />
      <Action kind={kind} busy={busy} off={off} onClick={() => send(step, onDone)}>{children}</Action>
      <Loading when={busy}>{opening}</Loading>
    </>
  )
}

/** Opens the app by a touch. */
export const OpenByPasskey = ({ kind = "main", onOpen }: {
  readonly kind?: Kind
  readonly onOpen: (access: AppAccess) => void
}) => <ByTouch kind={kind} step={signedInByPasskey} onDone={onOpen}>{usePasskeyWords().open}</ByTouch>
