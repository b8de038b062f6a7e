/**
 * Makes names of files unique, even on a disk that ignores case. A repeated name gets a number, as in `letter (2).pdf`.
 * Each name has an extension. No name becomes one of `others`.
 */
export const uniqueNames = (
  names: ReadonlyArray<string>,
  others: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const taken = new Set<string>(others)
  return names.map((name) => {
    const dot = name.lastIndexOf(".")
    for (let number = 1;; number++) {
      const candidate = number === 1 ? name : `${name.slice(0, dot)} (${number})${name.slice(dot)}`
      const key = candidate.normalize("NFKC").toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return candidate
    }
  })
}
