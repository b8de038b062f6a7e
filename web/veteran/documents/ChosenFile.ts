import { maxPixels } from "../../shared/document/Picture.tsx"
import type { Problem } from "../../shared/Problem.ts"
import { safeFileName } from "../../shared/SaveFile.ts"
import { sha256Of } from "../../shared/Sha256.ts"
import { drawAnew } from "./DrawAnew.ts"
import { photoHead } from "./PhotoHead.ts"

/** A file that is ready to be sent. It is in memory only, and a lock lets it go. */
export interface Chosen {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The kind as the file begins. The service looks for itself. */
  readonly kind: "photo" | "pdf" | "other"
  readonly sha256: string
  /** Set while it is not known whether the file that was sent is stored. */
  readonly doubt?: Doubt
}

export interface Doubt {
  /** The documents of the same content that were stored before. */
  readonly before: ReadonlyArray<string>
  /** False if not all of it left this device, so that it cannot have been stored. */
  readonly isWhole: boolean
  /** Why nothing is known. The code `cancelled` stands for the veteran's own wish. */
  readonly why: Problem
}

/** Why a file cannot be sent. */
export type Refusal = "empty" | "unreadable" | "too_large" | "too_many_pixels" | "broken" | "heic"

/** The service keeps files of at most this many bytes (contract, part 4). */
export const maxBytes = 25 * 1024 * 1024

/** A photo becomes smaller when it is drawn anew, so a larger one may be chosen. */
const maxPhotoBytes = 4 * maxBytes

/**
 * Reads the file into memory, so that a later change on the disk changes nothing. A photo is drawn anew; any other file
 * stays byte for byte as it is.
 */
export const readChosen = async (file: File): Promise<Chosen | Refusal> => {
  if (file.size > maxPhotoBytes) return "too_large"
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => undefined)
  if (bytes === undefined) return "unreadable"
  if (bytes.length === 0) return "empty"
  const head = photoHead(bytes)
  if (head === undefined) {
    if (bytes.length > maxBytes) return "too_large"
    const isPdf = String.fromCharCode(...bytes.subarray(0, 5)) === "%PDF-"
    return { name: safeFileName(file.name), bytes, kind: isPdf ? "pdf" : "other", sha256: await sha256Of(bytes) }
  }
  const cannotOpen = head.kind === "image/heic" ? "heic" : "broken"
  if (head.pixels === null) return cannotOpen
  if (head.pixels > maxPixels) return "too_many_pixels"
  const drawn = await drawAnew(bytes, head.kind)
  if (drawn === undefined) return cannotOpen
  return { name: safeFileName(asJpeg(file.name)), bytes: drawn, kind: "photo", sha256: await sha256Of(drawn) }
}

const asJpeg = (name: string) => `${name.replace(/\.[A-Za-z0-9]{1,8}$/, "")}.jpg`
