import type { Effect } from "effect"
import { useRef } from "react"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { useSending } from "../../shared/Sending.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { csvOf, fhirOf } from "./LooksExport.ts"
import { useLooksWords } from "./Words.ts"

/** Saves the whole list for a spreadsheet, as it is filtered. As FHIR, all looks of others are saved. */
export const SaveLooks = ({ filter, isOfAll }: {
  readonly filter: Readonly<Record<string, string>>
  /** Whether the list is of everybody. */
  readonly isOfAll: boolean
}) => {
  const session = useSession()
  const { file } = useLooksWords()
  const { busy, off, problem, send } = useSending()
  const again = useRef(() => {})
  const save = (making: Effect.Effect<ReadonlyArray<string>, Problem>, name: string) => {
    again.current = () => save(making, name)
    send(making, (lines) => saveFile(new Blob([...lines]), name))
  }
  return (
    <>
      <div className="actions">
        <Button kind="outline" busy={busy} off={off} onClick={() => save(csvOf(session, filter), "who-looked.csv")}>
          {file.csv}
        </Button>
        {isOfAll
          ? (
            <Button
              kind="outline"
              busy={busy || off !== undefined}
              onClick={() => save(fhirOf(session), "who-looked.fhir.json")}
            >
              {file.fhir}
            </Button>
          )
          : null}
      </div>
      <Loading when={busy}>{file.making}</Loading>
      <Trouble problem={problem} again={() => again.current()} />
    </>
  )
}
