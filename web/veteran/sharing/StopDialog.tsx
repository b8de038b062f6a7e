import type { SharingKind } from "../../../src/domain/Sharing.ts"
import { Question } from "../../shared/ui/Question.tsx"
import { Named } from "./Named.tsx"
import type { Stopping, StopRequest } from "./Stopping.ts"
import { sharingWords, useSharingWords } from "./Words.ts"

/** The words of the button that stops a sharing of this kind, in the page's language. */
export const stopWords = (kind: SharingKind) => sharingWords().card.stop[kind]

/** Asks before a stop. The focus begins on the button that keeps everything as it is. */
export const StopDialog = ({ asked, busy, confirm, keep }: Pick<Stopping, "asked" | "busy" | "confirm" | "keep">) => {
  const { card, dialog, numbers, stopEverything } = useSharingWords()
  const [first] = asked?.items ?? []
  if (asked === undefined || first === undefined) return null
  return (
    <Question
      title={asked.all ? dialog.everything : <Named of={dialog.question[first.kind]} name={first.who.name} />}
      keep={[asked.all ? dialog.keepEverything : dialog.keep[first.kind], keep]}
      go={[asked.all ? stopEverything : card.stop[first.kind], confirm]}
      kind="stop"
      busy={busy}
    >
      {asked.all ? <p>{dialog.numbers(numbers(numbersOf(asked)))}</p> : null}
      <p>{dialog.what}</p>
    </Question>
  )
}

const numbersOf = ({ items }: StopRequest) => {
  const count = (kind: SharingKind) => items.filter((item) => item.kind === kind).length
  return { provider: count("provider"), app: count("app"), link: count("link"), release: count("release") }
}
