import { useEffect, useRef, useState } from "react"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { dayText } from "../Moments.ts"
import { useSession } from "../session/Session.ts"
import { isDeclined } from "./Unanswered.ts"
import { wholeCopy } from "./WholeCopy.ts"

/** The state of the copy of all data. `received` counts bytes. */
export type Copy =
  | { readonly is: "none" | "cancelled" }
  | { readonly is: "coming"; readonly received: number }
  | { readonly is: "saved"; readonly file: Blob; readonly name: string }
  | { readonly is: "failed"; readonly problem: Problem }

/** Gets the copy, one at a time, and saves it when it is whole. Leaving the screen stops it, and forgets the copy. */
export const useCopyMaking = () => {
  const { call } = useSession()
  const confirmed = useConfirmed()
  const [copy, setCopy] = useState<Copy>({ is: "none" })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const start = () => {
    if (copy.is === "coming") return
    setCopy({ is: "coming", received: 0 })
    const name = `veteran-records-${dayText(new Date())}.zip`
    const making = call((client) => wholeCopy(client, (received) => setCopy({ is: "coming", received })))
    stop.current = run(confirmed(making), (outcome) => {
      if (outcome.is === "failed") {
        return setCopy(isDeclined(outcome.problem) ? { is: "none" } : { is: "failed", problem: outcome.problem })
      }
      setCopy({ is: "saved", file: outcome.value, name })
      saveFile(outcome.value, name)
    })
  }
  const cancel = () => {
    stop.current?.()
    setCopy({ is: "cancelled" })
  }
  return { copy, start, cancel }
}
