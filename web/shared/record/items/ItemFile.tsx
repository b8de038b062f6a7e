import type { InlineFile } from "../../../../src/clinical/Row.ts"
import { saveFile } from "../../SaveFile.ts"
import { useRecordWords } from "../RecordLanguage.ts"

/** Saves a file inside an item. */
export const ItemFile = ({ file }: { readonly file: InlineFile }) => (
  <button type="button" className="link" onClick={() => saveFile(bytesOf(file), file.title)}>
    {useRecordWords().item.download} <bdi>{file.title}</bdi>
  </button>
)

/** The bytes that base64 text stands for; line breaks are ignored. Any other text stays as it was sent. */
export const bytesOf = ({ base64 }: InlineFile): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (letter) => letter.charCodeAt(0))
  } catch {
    return new TextEncoder().encode(base64)
  }
}
