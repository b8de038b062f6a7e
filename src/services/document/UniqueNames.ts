/**
 * Makes names of files unique, even on a disk that ignores case. A repeated name gets a number, as in `letter (2).pdf`.
 * Each name has an extension. No name becomes one of `others`.
 */
export const uniqueNames = (
  names: ReadonlyArray<string>,
  others: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const taken = new Set<string>(others)
  // Without the last numbers, ten thousand equal names would hold the process for half a minute.
  const numbers = new Map<string, number>()
  return names.map((name) => {
    const dot = name.lastIndexOf(".")
    const first = keyOf(name)
    for (let number = (numbers.get(first) ?? 0) + 1;; number++) {
      const candidate = number === 1 ? name : `${name.slice(0, dot)} (${number})${name.slice(dot)}`
      const key = keyOf(candidate)
      if (taken.has(key)) continue
      taken.add(key)
      numbers.set(first, number)
      return candidate
    }
  })
}

/** Disks ignore different things. What any of them ignores counts as equal: upper case makes `ß` an `ss`. */
const keyOf = (name: string) => name.normalize("NFKD").toUpperCase().toLowerCase()
