import { useRef } from "react"
import { exportLimits } from "../../../src/domain/Export.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { waitOf } from "../../shared/Words.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { Card } from "./Card.tsx"
import { useCopyMaking } from "./CopyMaking.ts"
import { Done } from "./Done.tsx"
import { useAccountWords } from "./Words.ts"

/** A copy of all that the service holds of the veteran, as one file. */
export const MyCopy = () => {
  const { copy: words } = useAccountWords()
  const { cancel, copy, start } = useCopyMaking()
  const head = useRef<HTMLHeadingElement>(null)
  const off = useOffReason()
  const isComing = copy.is === "coming"
  /** The pressed button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3). */
  const then = (act: () => void) => () => {
    head.current?.focus()
    act()
  }
  return (
    <Card title={words.title} head={head}>
      <p>{words.text}</p>
      <p>{words.safe}</p>
      <p className="soft">{words.limit(exportLimits.perDay)}</p>
      <Done kind={copy.is === "saved" ? "success" : "info"}>
        {isComing
          ? `${copy.received === 0 ? words.making : words.arriving}. ${words.keepOpen}`
          : copy.is === "cancelled"
          ? words.cancelled
          : copy.is === "saved"
          ? `${words.ready(sizeWords(copy.file.size))} ${words.leaves}`
          : undefined}
      </Done>
      {isComing && copy.received > 0
        ? <p className="number">{words.received(sizeWords(copy.received))}</p>
        : null}
      {copy.is === "failed" ? <CopyTrouble problem={copy.problem} again={start} /> : null}
      <div className="actions">
        {isComing
          ? <Button kind="outline" onClick={then(cancel)}>{words.cancel}</Button>
          : copy.is === "saved"
          ? <Button kind="outline" onClick={() => saveFile(copy.file, copy.name)}>{words.again}</Button>
          : <Button kind="outline" off={off} onClick={then(start)}>{words.title}</Button>}
      </div>
    </Card>
  )
}

const CopyTrouble = ({ again, problem }: { readonly problem: Problem; readonly again: () => void }) => {
  const { copy: words } = useAccountWords()
  const { retryAfterSeconds = 0 } = problem
  const own = {
    copy_cut: { title: words.cutTitle, text: words.cut },
    rate_limited: retryAfterSeconds <= runningSeconds
      ? { title: words.runningTitle, text: words.running }
      : { title: words.tooManyTitle, text: words.tooMany(waitOf(retryAfterSeconds), exportLimits.perDay) }
  }
  return <OwnTrouble problem={problem} own={own} again={again} />
}

/** The service answers so while another copy is made. The limit of a day is longer, unless it is about to end. */
const runningSeconds = 10
