import { type DragEvent, useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from "react"
import { uuid } from "../../../src/domain/Id.ts"
import { useAction } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { listen, onHash } from "../../shared/Listen.ts"
import { Problem } from "../../shared/Problem.ts"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { type Examination, examine } from "./Examination.ts"
import { findingOf, lastDayOf } from "./Finding.ts"
import "./verify.css"

/** Checks a release that somebody received. Choosing the file is all that the person has to do. */
export const VerifyFile = () => {
  const named = useNamed()
  const [file, setFile] = useState<File>()
  const [examined, setExamined] = useState<Examination>()
  const { busy, start } = useAction()
  const check = (chosen: File | undefined) => {
    if (chosen === undefined) return
    setFile(chosen)
    setExamined(undefined)
    start(examine(chosen, named), (result) => {
      setExamined(
        result.is === "done" ? result.value : { is: "refused", why: "We can't read this file. Choose it again." }
      )
    })
  }
  useEffect(() => {
    // Without this, the browser would leave the page and open a file that is dropped beside the card.
    const ignore = (event: Event) => event.preventDefault()
    return listen({ dragover: ignore, drop: ignore })
  }, [])
  return (
    <>
      <Heading>Check a signed release</Heading>
      <FileField busy={busy} file={file} onChosen={check} />
      <Loading when={busy}>Checking the file</Loading>
      {file === undefined || examined === undefined ?
        null :
        <Result examined={examined} file={file} named={named} onAgain={() => check(file)} />}
    </>
  )
}

const FileField = ({ busy, file, onChosen }: {
  readonly busy: boolean
  /** The file that was chosen last. */
  readonly file: File | undefined
  readonly onChosen: (file: File | undefined) => void
}) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  /** The field names the file that was checked, however it was chosen. */
  const show = useCallback(() => {
    if (field.current === null || file === undefined) return
    const held = new DataTransfer()
    held.items.add(file)
    field.current.files = held.files
  }, [file])
  useEffect(() => {
    show()
    // React has no property for this event.
    return listen({ cancel: show }, field.current!)
  }, [show])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    onChosen(event.dataTransfer.files[0])
  }
  return (
    <section className="card stack drop" onDrop={drop}>
      <div>
        <label className="usa-label" htmlFor={id}>Choose the PDF that you were given</label>
        <p className="usa-hint" id={`${id}-hint`}>
          You can also drop it on this box. The file stays on this device. We compare its fingerprint with what was
          signed.
        </p>
      </div>
      <input
        ref={field}
        id={id}
        type="file"
        accept="application/pdf,.pdf"
        aria-describedby={`${id}-hint`}
        disabled={busy}
        // An empty field takes the same file again, after the file was replaced.
        onClick={(event) => {
          event.currentTarget.value = ""
        }}
        onChange={({ target }) => onChosen(target.files?.[0])}
      />
    </section>
  )
}

const Result = ({ examined, file, named, onAgain }: {
  readonly examined: Examination
  readonly file: File
  readonly named: string | undefined
  readonly onAgain: () => void
}) => {
  if (examined.is === "refused") {
    return <Notice kind="error" title="We can't check this file" live>{examined.why}</Notice>
  }
  const { answer, documentId, seal } = examined
  const problem = answer instanceof Problem ? answer : undefined
  const verification = answer instanceof Problem ? undefined : answer
  const { kind, text, title } = findingOf(seal, verification)
  const other = named !== undefined && documentId !== undefined && named !== documentId
  return (
    <section className="stack" aria-label="Result">
      <Notice kind={kind} title={title} live>
        <p>{text}</p>
        {other ? <p>This page was opened for a different document than the file that you chose.</p> : null}
      </Notice>
      <Trouble problem={problem} again={onAgain} />
      <div className="card">
        <Facts
          of={[
            ["File", file.name],
            ...(documentId === undefined ? [] : [["Document", documentId] as const]),
            ["Seal", seal.is === "intact" ? `unbroken, made in the name of ${seal.by}` : seal.is],
            ...(verification?.genuine === true
              ? [
                ["Signed", dayWords(verification.signedAt)] as const,
                ["Ends", lastDayOf(verification)] as const,
                ["Copy", verification.copy === "veteran" ? "the veteran's" : "the recipient's"] as const
              ]
              : [])
          ]}
        />
      </div>
    </section>
  )
}

/** The number behind `#`, as printed at the foot of each page of a release. */
const useNamed = () => {
  const id = useSyncExternalStore(onHash, () => location.hash.slice(1).toLowerCase())
  return uuid.test(id) ? id : undefined
}
