import { dayWords } from "../../shared/Dates.ts"
import { type Stand, tagOf } from "../../shared/record/glance/Completeness.ts"
import { doseWords } from "../../shared/record/glance/ItemWords.ts"
import type { ReaderWords } from "../../shared/record/ReaderWords.ts"
import { TryAgain } from "./TryAgain.tsx"

/** A record's words for the veteran whose record it is. */
export const veteranWords: ReaderWords = {
  tag: (stand, isEmpty) => stand.is === "none" && isEmpty ? ["VA has none", "good"] : tagOf(stand),
  about: ({ asOf, is }) =>
    is === "old" || is === "late"
      ? `${asOf === null ? "" : `From ${day(asOf)}. `}The newest update did not finish.`
      : is === "incomplete"
      ? "Only a part came from VA. Do not read a missing item as “none.”"
      : null,
  empty: (stand, name, past, hasOthers) => emptyWords(stand, name.toLowerCase(), past, hasOthers),
  notAllLoaded: (name) => `${name} could not all be loaded here. Do not read this as “none.”`,
  ifMissing: <TryAgain />,
  problems: "Problems",
  dose: (medication) => doseWords(medication, "Dose not given by VA"),
  noRanges: "VA sent no normal ranges.",
  own: {
    tag: "My own words",
    about: "Providers see it marked as yours.",
    cut: null,
    all: (count) => `Show all ${count} of mine`
  },
  mistake: "VA marked this as a mistake.",
  narrative: "Show the text that VA wrote",
  source: "Show the source",
  sourceName: "Source"
}

const day = (moment: string) => dayWords(new Date(moment))

const emptyWords = ({ asOf, is }: Stand, name: string, past: boolean, hasOthers: boolean) => {
  const which = `${hasOthers ? "other " : ""}${past ? "active " : ""}${name}`
  switch (is) {
    case "missing":
    case "outside":
      return "We could not get this from VA. This is not the same as “none.”"
    case "incomplete":
      return `No ${which} came from VA. This is not the same as “none.”`
    case "old":
    case "late":
      return `VA had no ${which}${asOf === null ? "" : ` on ${day(asOf)}`}. That may have changed.`
    case "current":
    case "none":
      return `VA has no ${which} on file${asOf === null ? "" : `, as of ${day(asOf)}`}.`
  }
}
