import type { Document } from "./Document.ts"

/** Returns the name under which an upload is saved: its title, with an extension of its type. */
export const fileName = ({ contentType, title }: Pick<Document, "contentType" | "title">) =>
  withExtension(title, extensions[contentType] ?? [])

/** The name under which a release is saved. Its title contains the recipient's name, so the title is not in it. */
export const releaseName = (signedAt: Date, ending: "ccda.xml" | "fhir.json" | "pdf" | "shared.fhir.json") =>
  `release-of-information-${signedAt.toISOString().slice(0, 10)}.${ending}`

/** The extensions of each content type; the first is used if the title has none of them. */
const extensions: Record<string, ReadonlyArray<string>> = {
  "application/pdf": ["pdf"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/tiff": ["tif", "tiff"],
  "text/plain": ["txt", "text"],
  "text/html": ["html", "htm"],
  "application/xml": ["xml"]
}

/** Windows reads these names as devices, also with blanks or an extension behind them. */
const device = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$|clock\$) *(\.|$)/i

export const notADevice = (name: string) => device.test(name) ? `_${name}` : name

/** A saved title must be harmless as a file name: Windows runs `result.hta` as a program. */
const withExtension = (title: string, [own = "bin", ...others]: ReadonlyArray<string>) => {
  const name = notADevice(title)
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && [own, ...others].includes(ending) ? name : `${name}.${own}`
}
