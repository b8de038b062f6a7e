import { useWords } from "../language/Language.ts"

/** Tells how many letters still fit into a field, once four fifths of its room are used. */
export const LettersLeft = ({ longest, of }: { readonly of: string; readonly longest: number }) => {
  const { letters } = useWords()
  const left = longest - of.length
  return left > longest / 5 ? null : (
    <span className="usa-hint number" role="status">
      {left < 0 ? letters.tooMany(-left) : letters.left(left)}
    </span>
  )
}
