/** A person's initials, for those who see them. A name without letters has none. */
export const Face = ({ name }: { readonly name: string }) =>
  <span className="face" aria-hidden="true">{initialsOf(name)}</span>

/** "AG" for "Dr. Ada Gray". */
const initialsOf = (name: string) => {
  const words = name.split(/\s/).filter((word) => /^\p{L}/u.test(word) && !word.endsWith("."))
  return [...words.slice(0, 1), ...words.slice(1).slice(-1)].map((word) => String.fromCodePoint(word.codePointAt(0)!))
    .join("").toUpperCase()
}
