/** What LOINC's long names say beside the test: the kind of quantity, and that it is the usual specimen. */
const asUsual =
  / \[(?:Mass|Moles|Substance|Enzymatic|Number|Volume Fraction|Entitic|#)[^[\]]*\]| in (?:Serum or Plasma|Serum, Plasma or Blood|Blood by Automated count|Serum|Plasma|Blood)$/g

/** Short names of tests that stand in one list. Where two would be called alike, both keep their whole names; urine is always said. */
export const shortNames = (titles: ReadonlyArray<string>): ReadonlyArray<string> => {
  const short = titles.map((title) => title.replaceAll(asUsual, "").trim() || title)
  return short.map((name, index) => short.filter((other) => other === name).length > 1 ? titles[index]! : name)
}
