import { useEffect, useState } from "react"
import { NotShown } from "../ui/NotShown.tsx"
import { pixelsOf } from "./PictureSize.ts"

/** The most pixels of a picture. A browser unpacks each to 4 bytes, so a small file could take all memory. */
export const maxPixels = 100_000_000

/** A picture. Its blob has the type PNG or JPEG, so that no browser opens it as a page or as an SVG with scripts. */
export const Picture = ({ bytes, contentType, title }: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: "image/png" | "image/jpeg"
  readonly title: string
}) => {
  const [address, setAddress] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const pixels = pixelsOf(bytes, contentType)
    if (pixels === null || pixels > maxPixels) return setFailed(true)
    const made = URL.createObjectURL(new Blob([bytes], { type: contentType }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, contentType])
  if (failed) return <NotShown />
  return address === undefined
    ? null
    : <img className="picture" src={address} alt={title} onError={() => setFailed(true)} />
}
