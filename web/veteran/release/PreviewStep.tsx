import { useOffReason } from "../../shared/Online.ts"
import { InOtherWords } from "../../shared/pdf/PdfWords.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Pdf } from "../../shared/ui/Pdf.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { useShareWords } from "../share/Words.ts"
import type { Preview } from "./MakingPreview.ts"
import { Refused } from "./Refused.tsx"
import { useReleaseWords } from "./Words.ts"

/** Why the veteran is here again. */
export type Returned = "changed" | "outdated" | undefined

/** Shows the pages that the recipient would see. Nobody signs what they have not been shown. */
export const PreviewStep = ({ canMake, cancel, make, onBack, onChange, onNext, preview, returned }: {
  readonly preview: Preview
  readonly returned: Returned
  /** False until it is known what "everything" stands for. */
  readonly canMake: boolean
  readonly make: () => void
  readonly cancel: () => void
  readonly onBack: () => void
  readonly onNext: () => void
  /** Leads to what the release carries. */
  readonly onChange: () => void
}) => {
  const { help, pdf, preview: words } = useReleaseWords()
  const { back, next } = useShareWords()
  const offline = useOffReason()
  const seen = preview.is === "done" ? preview.value : undefined
  return (
    <>
      <Heading>{words.heading}</Heading>
      {returned === undefined ? null : <Notice kind="warning" live>{words[returned]}</Notice>}
      <div className="row">
        <Tag kind="warn">{words.unsigned}</Tag>
      </div>
      <p>{words.text} {help?.pages}</p>
      <Loading when={preview.is === "pending"}>{words.making}</Loading>
      {preview.is === "failed"
        ? <Refused isPreview problem={preview.problem} again={make} onChange={onChange} />
        : null}
      <div className="actions">
        {preview.is === "pending"
          ? <Button kind="outline" onClick={cancel}>{words.cancel}</Button>
          : seen === undefined
          ? preview.is === "none" ? <Button off={offline} busy={!canMake} onClick={make}>{words.make}</Button> : null
          : <Button onClick={onNext}>{next}</Button>}
        <Button kind="outline" onClick={onBack}>{back}</Button>
      </div>
      {seen === undefined ? null : (
        <section className="card stack preview">
          <InOtherWords value={pdf}>
            <Pdf bytes={seen.bytes} />
          </InOtherWords>
          <div className="actions">
            <Button onClick={onNext}>{next}</Button>
            <Button kind="outline" onClick={() => saveFile(seen.bytes, "release-not-signed.pdf")}>{words.save}</Button>
          </div>
        </section>
      )}
    </>
  )
}
