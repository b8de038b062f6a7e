import { isMeasured, numbersApart, roundedFigures } from "./Figures.ts"
import { unitsInWords } from "./items/Units.ts"
import { useRecordWords } from "./RecordLanguage.ts"

/**
 * A value with its unit. A number never breaks inside, because its parts would be read as two numbers. A long number is
 * rounded, and its exact digits are read aloud.
 */
export const Figure = ({ of }: { readonly of: string }) => {
  const words = useRecordWords()
  const exact = unitsInWords(of)
  const shown = roundedFigures(exact)
  return (
    <span
      lang={isMeasured(exact) ? undefined : words.ofSource}
      className={isMeasured(exact) ? "figure" : ""}
      {...(shown === exact ? {} : { title: exact })}
    >
      {numbersApart(shown).map((part, index) =>
        // oxlint-disable-next-line react/no-array-index-key -- the parts never change
        index % 2 === 0 ? part : <span key={index} className="whole">{part}</span>
      )}
      {shown === exact ? null : <span className="spoken">{words.exactly(exact)}</span>}
    </span>
  )
}
