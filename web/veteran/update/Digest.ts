import { digestedText } from "../../../src/domain/TypeDigest.ts"
import { sha256Of } from "../../shared/Sha256.ts"

/** The texts that are digested at a time. More would wait in the browser's queue with a copy of each. */
const atOnce = 200

const encoder = new TextEncoder()

const sha256 = (text: string) => sha256Of(encoder.encode(text))

/** The digest of a type's exact texts (contract, part 5). */
export const digestOf = async (texts: ReadonlyArray<string>): Promise<string> => {
  const resources: Array<{ readonly fhirId: string; readonly sha256: string }> = []
  for (let at = 0; at < texts.length; at += atOnce) {
    resources.push(
      ...await Promise.all(
        texts.slice(at, at + atOnce).map(async (text) => ({ fhirId: JSON.parse(text).id, sha256: await sha256(text) }))
      )
    )
  }
  return sha256(digestedText(resources))
}
