import { useEffect, useRef, useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { useLinkWords } from "./Words.ts"

/** What became of the latest copy or share. */
type News = "copied" | "byHand" | "shared" | "notShared"

/** Copies the link, or gives it to another app. Closing the system's list of apps is no failure. */
export const HandOver = ({ onGiven, url }: { readonly url: string; readonly onGiven: () => void }) => {
  const { made } = useLinkWords()
  const [news, setNews] = useState<News>()
  const address = useRef<HTMLInputElement>(null)
  const copy = () => {
    // A browser without a secure page has no clipboard, and one may refuse it.
    const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error("There is no clipboard."))
    copied.then(() => {
      onGiven()
      setNews("copied")
    }, () => setNews("byHand"))
  }
  const share = () => {
    navigator.share({ url }).then(() => {
      onGiven()
      setNews("shared")
    }, (failure: unknown) => {
      if (!(failure instanceof DOMException && failure.name === "AbortError")) setNews("notShared")
    })
  }
  useEffect(() => {
    if (news === "byHand") address.current?.select()
  }, [news])
  return (
    <>
      <div className="actions">
        <Button kind="outline" onClick={copy}>{made.copy}</Button>
        {"share" in navigator ? <Button kind="outline" onClick={share}>{made.share}</Button> : null}
      </div>
      <p role="status">{news === undefined ? null : made[news]}</p>
      {news === "byHand"
        ? (
          <input
            ref={address}
            className="usa-input"
            aria-label={made.address}
            readOnly
            value={url}
            onFocus={({ target }) => target.select()}
            onCopy={onGiven}
          />
        )
        : null}
    </>
  )
}
