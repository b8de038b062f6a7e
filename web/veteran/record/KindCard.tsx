import { numberWords } from "../../shared/language/Names.ts"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import { comingOf } from "../../shared/record/glance/CardStates.ts"
import { worstOf } from "../../shared/record/glance/Completeness.ts"
import { GlanceCard, Nothing } from "../../shared/record/glance/GlanceCard.tsx"
import type { Kind } from "../../shared/record/items/Kinds.ts"
import type { About, Line } from "../../shared/record/Messages.ts"
import type { RecordState } from "../../shared/record/OpenRecord.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import type { Nouns } from "../../shared/record/words/English.ts"
import { addressOf } from "../Route.ts"
import { kindName, typesOf } from "./KindNames.ts"
import { useOwnWords } from "./Words.ts"

/** A kind in one sentence: how many items there are, and the newest one. */
export const KindCard = ({ about, items, kind, nouns, state }: {
  readonly kind: Kind
  readonly nouns: Nouns
  readonly about: About
  readonly state: RecordState
  /** All items, newest first. */
  readonly items: ReadonlyArray<Line>
}) => {
  const words = useOwnWords()
  const parts = useRecordWords()
  const types = typesOf[kind]!
  const of = { stand: worstOf(about, types), coming: comingOf(about, state, ...types) }
  const all = items.filter((item) => item.kind === kind)
  const counted = all.filter(({ flags, status }) => !flags.includes("Entered in error") && status !== "Not given")
  const newest = counted.find(({ date }) => date !== "") ?? counted[0]
  return (
    <GlanceCard name={kindName(kind)} count={undefined} of={of} isEmpty={all.length === 0}>
      {all.length === 0 || of.coming !== "there"
        ? <Nothing name={kindName(kind)} of={of} asking={(sentence) => sentence} past={all.length > 0} />
        : (
          <p>
            {words.onFile(numberWords(counted.length))}
            {newest === undefined ? null : (
              <>
                {" "}
                {words.last} <bdi lang={parts.ofSource}>{newest.title}</bdi>
                {`, ${newest.date === "" ? parts.noDateWithin : recordedDay(newest.date.slice(0, 10))}`}.
              </>
            )}
          </p>
        )}
      {all.length === 0
        ? null
        : <a className="line-link" href={addressOf({ screen: "record", kind })}>{parts.all(all.length, nouns)}</a>}
    </GlanceCard>
  )
}
