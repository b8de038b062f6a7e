import { useCallback, useMemo, useRef } from "react"
import { useAnswer } from "../Answer.ts"
import { useRecordWords } from "../record/RecordLanguage.ts"
import { frameDocument } from "../TrustedTypes.ts"
import { useFrameFocus } from "./FrameFocus.ts"
import { NotShown } from "./NotShown.tsx"
import "./untrusted.css"

/**
 * Shows HTML or XML from outside. It is rewritten as plain text and tables, in a sandboxed frame without scripts. As a
 * second barrier, the frame's content security policy forbids everything but styles.
 */
export const Untrusted = ({ source, title, type = "html" }: {
  readonly source: string
  /** The frame's name for screen readers. */
  readonly title: string
  readonly type?: "html" | "xml"
}) => {
  const { loading, outside } = useRecordWords()
  const plain = useAnswer(useCallback(
    () => import("./PlainHtml.ts").then(({ plainHtml }) => plainHtml(source, type), () => "failed" as const),
    [source, type]
  ))
  // Memoized, because with Trusted Types every call returns a new object, and React would then load the frame again.
  const srcDoc = useMemo(() => typeof plain === "object" ? frameDocument(plain.html) : undefined, [plain])
  const frame = useRef<HTMLIFrameElement>(null)
  const isFocused = useFrameFocus(frame)
  if (plain === undefined) return <p role="status">{loading}</p>
  if (plain === "failed") return <NotShown />
  return (
    <div className="untrusted">
      <p className="soft small">{outside.about}</p>
      <iframe
        ref={frame}
        sandbox=""
        referrerPolicy="no-referrer"
        title={title}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1)
        tabIndex={0}
        className={`${plain.html.length > 1500 ? "tall" : ""} ${isFocused ? "focused" : ""}`}
        srcDoc={srcDoc}
      />
      {plain.cut ? <p>{outside.beginning}</p> : null}
    </div>
  )
}
