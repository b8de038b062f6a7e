import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { csvOf } from "./CsvExport.ts"
import { useLooksWords } from "./Words.ts"

/** Saves the whole list, as it is filtered, for a spreadsheet. */
export const SaveCsv = ({ filter }: { readonly filter: Readonly<Record<string, string>> }) => {
  const session = useSession()
  const { csv } = useLooksWords()
  const { busy, start } = useAction()
  const offline = useOffReason()
  const [problem, setProblem] = useState<Problem>()
  const save = () => {
    setProblem(undefined)
    start(csvOf(session, filter), (outcome) =>
      outcome.is === "done"
        ? saveFile(new Blob([...outcome.value]), "who-looked.csv")
        : setProblem(outcome.problem))
  }
  return (
    <>
      <div className="actions">
        <Button kind="outline" busy={busy} off={offline} onClick={save}>{csv.save}</Button>
      </div>
      <Loading when={busy}>{csv.making}</Loading>
      {problem === undefined ? null : <Trouble problem={problem} again={save} />}
    </>
  )
}
