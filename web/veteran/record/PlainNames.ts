import { withoutKinds } from "../../../src/clinical/ConceptKinds.ts"
import { shortNameOf } from "../../../src/clinical/KeyTests.ts"
import type { Row } from "../../../src/clinical/Row.ts"
import { shortNames } from "../../shared/record/glance/TestNames.ts"

/**
 * Plain names of common problems. A name is replaced only if it is exactly one of these, because a longer one may say
 * more. The item shows VA's name too.
 */
const plain: Readonly<Record<string, string>> = {
  "acute bronchitis": "Chest cold",
  "acute myocardial infarction": "Heart attack",
  "allergic rhinitis": "Hay fever",
  "benign prostatic hyperplasia": "Enlarged prostate",
  "cerebrovascular accident": "Stroke",
  "chronic obstructive pulmonary disease": "Long-term lung disease (COPD)",
  "congestive heart failure": "Heart failure",
  "diabetes mellitus type 2": "Type 2 diabetes",
  "essential hypertension": "High blood pressure",
  "gastroesophageal reflux disease": "Acid reflux",
  "hyperlipidemia": "High cholesterol or blood fats",
  "hypertension": "High blood pressure",
  "hypothyroidism": "Underactive thyroid",
  "laceration of thigh": "Cut on the thigh",
  "myocardial infarction": "Heart attack",
  "osteoarthritis": "Wear-and-tear arthritis",
  "osteoarthritis of hip": "Wear-and-tear arthritis of the hip",
  "osteoarthritis of knee": "Wear-and-tear arthritis of the knee",
  "posttraumatic stress disorder": "Post-traumatic stress (PTSD)",
  "seasonal allergic rhinitis": "Hay fever"
}

/** The name of an item in plain words, if there is one other than VA's. */
export const plainName = ({ code, title }: Pick<Row, "code" | "title">): string => {
  const loinc = /^LOINC (\S+)$/.exec(code ?? "")?.[1]
  const short = withoutKinds(title)
  const known = loinc === undefined ? undefined : shortNameOf(`|http://loinc.org|${loinc}`)
  const problem = short.toLowerCase()
  return known ?? (Object.hasOwn(plain, problem) ? plain[problem]! : shortNames([short])[0]!)
}
