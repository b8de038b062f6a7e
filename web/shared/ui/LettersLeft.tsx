export const letters = (count: number) => count === 1 ? "1 letter" : `${count.toLocaleString("en-US")} letters`

/** Tells how many letters still fit into a field, once four fifths of its room are used. */
export const LettersLeft = ({ longest, of }: { readonly of: string; readonly longest: number }) => {
  const left = longest - of.length
  return left > longest / 5 ? null : (
    <span className="usa-hint number" role="status">
      {left < 0 ? `${letters(-left)} too many` : `${letters(left)} left`}
    </span>
  )
}
