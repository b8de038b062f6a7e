import { type FormEvent, useEffect, useRef, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { fileKindWords } from "../../shared/document/FileKind.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { Picture } from "../../shared/document/Picture.tsx"
import { useAskBeforeLeaving } from "../../shared/Listen.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import type { Adding } from "./Adding.ts"
import type { Chosen } from "./ChosenFile.ts"
import { useDocumentsWords } from "./Words.ts"

/** A longer name would be cut (SaveFile.ts). */
const longestName = 100

/** Shows what will be saved, asks for its name, and sends it. */
export const ChosenForm = ({ adding, chosen, off }: {
  readonly adding: Adding
  readonly chosen: Chosen
  readonly off: string | undefined
}) => {
  const { chosen: words } = useDocumentsWords()
  const [isNameless, setNameless] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { isLooking, isSending } = adding
  useEffect(() => heading.current?.focus(), [])
  useAskBeforeLeaving(true)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined || isSending || isLooking) return
    setNameless(isBlank(chosen.name))
    adding.send()
  }
  const { bytes, kind, name } = chosen
  return (
    <form className="card stack document" onSubmit={send} noValidate aria-labelledby="chosen-file">
      <h2 id="chosen-file" tabIndex={-1} ref={heading}>{words.title}</h2>
      {kind === "photo" ? <Picture bytes={bytes} contentType="image/jpeg" title={words.photoName} /> : null}
      <p>{kind === "photo" ? words.photo : kind === "pdf" ? words.pdf : words.exact}</p>
      <Facts of={[[words.kind, fileKindWords(contentTypes[kind])], [words.size, sizeWords(bytes.length)]]} />
      <Field
        label={words.name}
        hint={words.nameHint}
        error={isNameless && isBlank(name) ? words.nameless : undefined}
        value={name}
        maxLength={longestName + 10}
        dir="auto"
        autoComplete="off"
        readOnly={isSending || isLooking}
        onChange={({ target }) => adding.rename(target.value)}
      />
      <p className="soft small">{words.locks}</p>
      <Way adding={adding} total={bytes.length} />
      <div className="actions">
        <Button type="submit" busy={isSending || isLooking} off={off}>{words.save}</Button>
        <Button kind="outline" busy={isLooking} onClick={isSending ? adding.cancel : adding.leave}>
          {isSending ? words.cancel : words.other}
        </Button>
      </div>
    </form>
  )
}

const contentTypes: Readonly<Record<Chosen["kind"], string>> = {
  photo: "image/jpeg",
  pdf: "application/pdf",
  other: ""
}

/** How much of the file has left. Only the words of each part are read aloud, not each number. */
const Way = ({ adding: { isLooking, isSending, progress }, total }: {
  readonly adding: Adding
  readonly total: number
}) => {
  const { chosen: words } = useDocumentsWords()
  const isSent = progress !== undefined && progress.sent >= progress.total
  const sent = progress === undefined ? 0 : Math.floor(total * progress.sent / progress.total)
  return (
    <>
      <p role="status">{isSending ? isSent ? words.saving : words.sending : isLooking ? words.looking : null}</p>
      {isSending
        ? (
          <>
            <progress aria-label={words.sending} value={sent} max={total} />
            <p className="soft number">{words.sent(sizeWords(sent), sizeWords(total))}</p>
          </>
        )
        : null}
    </>
  )
}
