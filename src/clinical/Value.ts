import { address, contactPoint } from "./Address.ts"
import { annotation } from "./Annotation.ts"
import { attachment } from "./Attachment.ts"
import { codeText } from "./Coding.ts"
import { dateText, period } from "./DateText.ts"
import { dosage } from "./Dosage.ts"
import { humanName } from "./HumanName.ts"
import { identifier } from "./Identifier.ts"
import { text, yesNo } from "./Members.ts"
import { money, quantity, range, ratio, sampledData } from "./Quantity.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { timing } from "./Timing.ts"
import { codeWords } from "./Words.ts"

/** The reader of each datatype that the value of a choice `[x]` may have (R4, 2.24.0.1.1). */
const readings = new Map<string, (json: unknown, titleOf: TitleOf) => string | null>([
  ["Quantity", quantity],
  ["Age", quantity],
  ["Count", quantity],
  ["Distance", quantity],
  ["Duration", quantity],
  ["CodeableConcept", codeText],
  ["Coding", codeText],
  ["String", text],
  ["Markdown", text],
  ["Code", codeWords],
  ["Boolean", yesNo],
  ["Integer", text],
  ["PositiveInt", text],
  ["UnsignedInt", text],
  ["Decimal", text],
  ["Range", range],
  ["Ratio", ratio],
  ["SampledData", sampledData],
  ["Money", money],
  ["Time", text],
  ["Date", dateText],
  ["DateTime", dateText],
  ["Instant", dateText],
  ["Period", period],
  ["Timing", timing],
  ["Dosage", dosage],
  ["HumanName", humanName],
  ["Address", address],
  ["ContactPoint", contactPoint],
  ["Identifier", identifier],
  ["Annotation", annotation],
  ["Attachment", attachment],
  ["Reference", reference],
  ["Canonical", reference],
  ["Uri", text],
  ["Url", text],
  ["Uuid", text],
  ["Oid", text],
  ["Id", text]
])

/** The value of a choice of any type: `choice(observation, "value", titleOf)` reads `valueQuantity` and others. */
export const choice = (element: object, name: string, titleOf: TitleOf): string | null => {
  for (const [member, value] of Object.entries(element)) {
    if (member.startsWith(name)) {
      const found = readings.get(member.slice(name.length))?.(value, titleOf)
      if (found) return found
    }
  }
  return null
}
