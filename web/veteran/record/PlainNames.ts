import { withoutKinds } from "../../../src/clinical/ConceptKinds.ts"
import { shortNameOf } from "../../../src/clinical/KeyTests.ts"
import type { Row } from "../../../src/clinical/Row.ts"
import { shortNames } from "../../shared/record/glance/TestNames.ts"
import { termWords } from "../../shared/record/RecordLanguage.ts"
import { ownWords } from "./Words.ts"

/** The name of an item in plain words, if there is one other than VA's, and whether it is ours. */
export const plainName = (
  { code, title }: Pick<Row, "code" | "title">
): { readonly name: string; readonly isOurs: boolean } => {
  const loinc = /^LOINC (\S+)$/.exec(code ?? "")?.[1]
  const short = withoutKinds(title)
  const known = loinc === undefined ? undefined : shortNameOf(`|http://loinc.org|${loinc}`)
  if (known !== undefined) return { name: termWords(known), isOurs: true }
  const plain: Readonly<Record<string, string>> = ownWords().plain
  const problem = short.toLowerCase()
  return Object.hasOwn(plain, problem)
    ? { name: plain[problem]!, isOurs: true }
    : { name: shortNames([short])[0]!, isOurs: false }
}
