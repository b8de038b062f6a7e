import { numbersApart } from "../Figures.ts"

/** The longest number that stays on one line in the narrowest cell. */
const longest = 20

/** A text whose numbers do not break inside, because their parts would be read as two numbers. */
export const WholeNumbers = ({ of }: { readonly of: string }) =>
  numbersApart(of).map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts never change
    index % 2 === 0 || part.length > longest ? part : <span key={index} className="whole">{part}</span>
  )
