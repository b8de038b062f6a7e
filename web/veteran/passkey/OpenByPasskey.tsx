import { useState } from "react"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { signedInByPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { passkeyText, usePasskeyWords } from "./Words.ts"

/** Opens the app by a touch, where the browser can. If the veteran changes their mind, nothing is said. */
export const OpenByPasskey = ({ kind = "main", onOpen }: {
  readonly kind?: "main" | "link"
  readonly onOpen: (access: AppAccess) => void
}) => {
  const words = usePasskeyWords()
  const [problem, setProblem] = useState<Problem>()
  const { busy, start } = useAction()
  const off = useOffReason()
  const trouble = problem === undefined ? undefined : passkeyText(problem)
  if (!hasPasskeys) return null
  const open = () => {
    setProblem(undefined)
    start(signedInByPasskey, (outcome) => outcome.is === "done" ? onOpen(outcome.value) : setProblem(outcome.problem))
  }
  return (
    <>
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <div className="actions">
        <Button kind={kind} busy={busy} off={off} onClick={open}>{words.open}</Button>
      </div>
      <Loading when={busy}>{words.opening}</Loading>
    </>
  )
}
