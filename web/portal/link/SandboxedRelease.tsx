import { useEffect, useRef, useState } from "react"
import { useSpoken } from "../../shared/language/Language.ts"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { useFrameFocus } from "../../shared/ui/FrameFocus.ts"
import { useLinkWords } from "./LinkLanguage.ts"
import { ReleaseFrame } from "./ReleaseFrame.ts"

/**
 * The frame that shows what the link opens. Its sandbox gives it an opaque origin: a hostile PDF or record meets no
 * session, no storage and no network. It loads while the mail is awaited, and is hidden until the release is there.
 */
export const SandboxedRelease = ({ onFiles, release }: {
  readonly onFiles: (files: ReadonlyArray<PdfAttachment>) => void
  readonly release: Uint8Array<ArrayBuffer> | undefined
}) => {
  const { language } = useSpoken()
  const words = useLinkWords().read
  const place = useRef<HTMLIFrameElement>(null)
  const [frame, setFrame] = useState<ReleaseFrame>()
  const isFocused = useFrameFocus(place)
  useEffect(() => {
    const frame = new ReleaseFrame(place.current!, onFiles)
    setFrame(frame)
    return () => frame.close()
  }, [onFiles])
  useEffect(() => frame?.speak(language), [frame, language])
  useEffect(() => release === undefined ? undefined : frame?.show(release), [frame, release])
  return (
    <iframe
      ref={place}
      className={`release ${isFocused ? "focused" : ""}`}
      hidden={release === undefined}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      title={words.frame}
      src="/frame"
    />
  )
}
