import { useEffect, useRef, useState } from "react"
import { useSpoken } from "../../shared/language/Language.ts"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { useFrameFocus } from "../../shared/ui/FrameFocus.ts"
import { NotShown } from "../../shared/ui/NotShown.tsx"
import { useLinkWords } from "./LinkLanguage.ts"
import { ReleaseFrame } from "./ReleaseFrame.ts"
import "./release.css"

export interface FrameProperties {
  readonly onFiles: (files: ReadonlyArray<PdfAttachment>) => void
  readonly release: Uint8Array<ArrayBuffer> | undefined
}

/**
 * The frame that shows what the link opens. Its sandbox gives it an opaque origin: a hostile PDF or record meets no
 * session, no storage and no network. It loads while the mail is awaited, and is hidden until the release is there.
 */
const SandboxedRelease = ({ onFiles, release }: FrameProperties) => {
  const { language } = useSpoken()
  const words = useLinkWords().read
  const place = useRef<HTMLIFrameElement>(null)
  const [frame, setFrame] = useState<ReleaseFrame>()
  const [isLate, setLate] = useState(false)
  const isFocused = useFrameFocus(place)
  useEffect(() => {
    const frame = new ReleaseFrame(place.current!, onFiles, (isMet) => setLate(!isMet))
    setFrame(frame)
    return () => frame.close()
  }, [onFiles])
  useEffect(() => frame?.speak(language), [frame, language])
  useEffect(() => release === undefined ? undefined : frame?.show(release), [frame, release])
  return (
    <>
      {release !== undefined && isLate ? <NotShown /> : null}
      <iframe
        ref={place}
        className={`release ${isFocused ? "focused" : ""}`}
        hidden={release === undefined || isLate}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        title={words.frame}
        src="/frame"
      />
    </>
  )
}

export default SandboxedRelease
