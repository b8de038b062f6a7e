import { XmlDocument, XsdValidator } from "libxml2-wasm"
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

xmlRegisterFsInputProviders()

const schema = fileURLToPath(new URL("../fixtures/cda/infrastructure/cda/CDA_SDTC.xsd", import.meta.url))

const validator = XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(schema, "utf8"), { url: schema }))

/** Throws with libxml2's words if the text is no well-formed XML, or no document of HL7's CDA schema. */
export const assertCda = (xml: string) => {
  const document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
  } finally {
    document.dispose()
  }
}
