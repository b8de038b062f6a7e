import { pixelsOf } from "../../shared/document/PictureSize.ts"

/** The kinds of photos, by how they begin. All others are kept as they are. */
export type PhotoKind = "image/jpeg" | "image/png" | "image/webp" | "image/heic"

export interface PhotoHead {
  readonly kind: PhotoKind
  /** The number of pixels according to the header. It is null if the header does not tell it. */
  readonly pixels: number | null
}

/** A header that tells no size within this number of bytes is not searched further. */
const searched = 1_000_000

/**
 * Recognises a photo and reads its size, before a browser unpacks it: a small file may hold billions of pixels. Returns
 * undefined if the file is no photo.
 */
export const photoHead = (bytes: Uint8Array): PhotoHead | undefined => {
  const kind = kindOf(bytes)
  return kind === undefined ? undefined : { kind, pixels: sizes[kind](bytes) }
}

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

const kindOf = (bytes: Uint8Array): PhotoKind | undefined => {
  if (text(bytes, 0, 3) === "\xff\xd8\xff") return "image/jpeg"
  if (text(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png"
  if (text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 12) === "WEBP") return "image/webp"
  // The brands of still pictures in ISO/IEC 23008-12, and AVIF's.
  return text(bytes, 4, 8) === "ftyp" && /^(hei[cxms]|hev[cxms]|mif1|msf1|avi[fs])$/.test(text(bytes, 8, 12))
    ? "image/heic"
    : undefined
}

/** The first frame's header (WebP container specification, RFC 9649). */
const webpPixels = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 30) return null
  switch (text(bytes, 12, 16)) {
    case "VP8X":
      return (1 + (view.getUint32(23, true) >>> 8)) * (1 + (view.getUint32(26, true) >>> 8))
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return (1 + (bits & 0x3fff)) * (1 + ((bits >>> 14) & 0x3fff))
    }
    case "VP8 ":
      return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff)
    default:
      return null
  }
}

/** The largest of the properties `ispe`, which tell the size of each picture in the file (ISO/IEC 23008-12, 6.5.3). */
const heicPixels = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let largest: number | null = null
  const end = Math.min(bytes.length - 16, searched)
  for (let at = 0; at <= end; at++) {
    if (view.getUint32(at) !== 0x69737065) continue
    largest = Math.max(largest ?? 0, view.getUint32(at + 8) * view.getUint32(at + 12))
  }
  return largest
}

const sizes: Readonly<Record<PhotoKind, (bytes: Uint8Array) => number | null>> = {
  "image/jpeg": (bytes) => pixelsOf(bytes, "image/jpeg"),
  "image/png": (bytes) => pixelsOf(bytes, "image/png"),
  "image/webp": webpPixels,
  "image/heic": heicPixels
}
