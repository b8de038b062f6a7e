import { Effect } from "effect"
import { useState } from "react"
import { fileName } from "../../../src/domain/DocumentFileName.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { kindWords } from "../sharing/SharingWords.ts"
import type { Signed } from "./Doubt.ts"
import { useReleaseWords } from "./Words.ts"

/** A release that was signed: nobody has it yet. */
export const Done = ({ document, isNewer, recipient, warnings }: Signed) => {
  const { done } = useReleaseWords()
  const { busy, call, off, problem, send } = useOwnSending()
  const [isSaved, setSaved] = useState(false)
  const { id, release } = document
  const incomplete = warnings.flatMap((warning) => "resourceType" in warning ? [warning.resourceType] : [])

  const save = () => {
    setSaved(false)
    const content = call(({ documents }) => documents.content({ params: { ...me, documentId: id } }))
    const whole = Effect.filterOrFail(
      content,
      ({ length }) => length === document.byteSize,
      () => Problem.make({ error: "unreachable" })
    )
    send(whole, (bytes) => {
      saveFile(new Uint8Array(bytes), fileName(document))
      setSaved(true)
    })
  }
  return (
    <>
      <Heading>{done.heading}</Heading>
      <p className="named">
        <bdi>{recipient}</bdi> {done.nobody}
      </p>
      {release === null ? null : (
        <p>
          {done.until(timeWords(new Date(release.endsAt.getTime() - 1)))}{" "}
          <a href={addressOf({ screen: "sharing" })}>{done.sharing}</a>
        </p>
      )}
      {warnings.some((warning) => "code" in warning)
        ? <Notice kind="warning">{done.personDiffers}</Notice>
        : null}
      {isNewer ? <Notice kind="warning">{done.changed}</Notice> : null}
      {incomplete.length === 0
        ? null
        : <Notice kind="info">{done.incomplete(kindWords(incomplete).toLowerCase())}</Notice>}
      <div className="actions">
        <a className="usa-button" href={addressOf({ screen: "link", document: id })}>{done.link}</a>
        <Button kind="outline" busy={busy} off={off} onClick={save}>{done.save}</Button>
      </div>
      <Loading when={busy} />
      <p role="status">{isSaved ? done.saved : ""}</p>
      <Trouble problem={problem} again={save} />
      <p className="soft">{done.own}</p>
    </>
  )
}
