/** The parts of LOINC's long names that a short name omits: the kind of quantity, and the usual specimens. */
const asUsual =
  / \[(?:Mass|Moles|Substance|Enzymatic|Number|Volume Fraction|Entitic|#)[^[\]]*\]| in (?:Serum or Plasma|Serum, Plasma or Blood|Blood by Automated count|Serum|Plasma|Blood)$/g

/**
 * Short names of the tests in one list. If two would get the same name, both keep their long names. The only specimens
 * dropped from a name are blood, serum and plasma.
 */
export const shortNames = (titles: ReadonlyArray<string>): ReadonlyArray<string> => {
  const short = titles.map((title) => title.replaceAll(asUsual, "").trim() || title)
  return short.map((name, index) => short.filter((other) => other === name).length > 1 ? titles[index]! : name)
}
