import { dayWords } from "../../shared/Dates.ts"
import { type Stand, tagOf } from "../../shared/record/glance/Completeness.ts"
import { doseWords } from "../../shared/record/glance/ItemWords.ts"
import type { ReaderWords } from "../../shared/record/ReaderWords.ts"
import { TryAgain } from "./TryAgain.tsx"
import type { OwnWords } from "./words/English.ts"

/** A record's words for the veteran whose record it is. */
export const readerWords = ({ card, item, own }: OwnWords): ReaderWords => ({
  tag: (stand, isEmpty) => stand.is === "none" && isEmpty ? [card.vaNone, "good"] : tagOf(stand),
  about: ({ asOf, is }) =>
    is === "old" || is === "late" ? card.late(day(asOf)) : is === "incomplete" ? card.part : null,
  empty: (stand, name, past, hasOthers) => emptyWords(card, stand, card.which(name, past, hasOthers)),
  notAllLoaded: card.notAllLoaded,
  ifMissing: <TryAgain />,
  problems: card.problems,
  dose: (medication) => doseWords(medication, card.noDose),
  noRanges: card.noRanges,
  own: { tag: own.title, about: own.seen, cut: null, all: card.allOwn },
  mistake: item.mistake,
  narrative: item.narrative,
  source: item.source,
  sourceName: item.sourceName
})

const day = (moment: string | null) => moment === null ? undefined : dayWords(new Date(moment))

const emptyWords = (card: OwnWords["card"], { asOf, is }: Stand, which: string) => {
  switch (is) {
    case "missing":
    case "outside":
      return card.missing
    case "incomplete":
      return card.incomplete(which)
    case "old":
    case "late":
      return card.old(which, day(asOf))
    case "current":
    case "none":
      return card.empty(which, day(asOf))
  }
}
