import type { Effect } from "effect"
import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
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
  const { busy, start } = useAction()
  const offline = useOffReason()
  const [failed, setFailed] = useState<{ readonly problem: Problem; readonly again: () => void }>()
  const save = (making: Effect.Effect<ReadonlyArray<string>, Problem>, name: string) => {
    setFailed(undefined)
    start(making, (outcome) =>
      outcome.is === "done"
        ? saveFile(new Blob([...outcome.value]), name)
        : setFailed({ problem: outcome.problem, again: () => save(making, name) }))
  }
  return (
    <>
      <div className="actions">
        <Button kind="outline" busy={busy} off={offline} onClick={() => save(csvOf(session, filter), "who-looked.csv")}>
          {file.csv}
        </Button>
        {isOfAll
          ? (
            <Button
              kind="outline"
              busy={busy || offline !== undefined}
              onClick={() => save(fhirOf(session), "who-looked.fhir.json")}
            >
              {file.fhir}
            </Button>
          )
          : null}
      </div>
      <Loading when={busy}>{file.making}</Loading>
      {failed === undefined ? null : <Trouble {...failed} />}
    </>
  )
}
