import { invisible } from "../../src/domain/Blank.ts"

/** How long a browser may take to start saving, in milliseconds. */
const begins = 60_000

/** Saves in another way, for a sandboxed frame, which may not save. */
let otherWay: ((bytes: Uint8Array<ArrayBuffer> | Blob, name: string) => void) | undefined

export const saveBy = (way: typeof otherWay) => {
  otherWay = way
}

/**
 * Saves bytes as a file. The type is always `application/octet-stream`: no browser then opens the blob's address as a
 * page of this origin. The bytes may be HTML, SVG or XML.
 */
export const saveFile = (bytes: Uint8Array<ArrayBuffer> | Blob, name: string) => {
  if (otherWay !== undefined) return otherWay(bytes, name)
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
  const link = document.createElement("a")
  link.href = address
  link.download = safeFileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), begins)
}

/**
 * The name comes from outside. Control characters, characters that reverse the direction of text (`exe.fdp` shown as
 * `pdf.exe`) and characters with a meaning for file systems or shells are removed.
 */
export const safeFileName = (name: string) => {
  const kept = name.toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Co}]/gu, "")
    .replaceAll(invisible, "")
    .replaceAll(/[\\/:*?"<>|%$`~]/g, "_")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, "")
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(kept)?.[0] ?? ""
  const stem = [...kept.slice(0, kept.length - ending.length)].slice(0, 100).join("").trim()
  return /^(con|prn|aux|nul|com\d|lpt\d)?$/i.test(stem) ? `document${ending}` : `${stem}${ending}`
}
