import { useEffect, useRef, useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { useLinkWords } from "./Words.ts"

/** What became of the latest copy or share. `byHand` is a text that the browser did not copy. */
type News = { readonly is: "copied" | "shared" | "notShared" } | { readonly is: "byHand"; readonly text: string }

/** Copies the link, or gives it to another app. Closing the system's list of apps is no failure. */
export const HandOver = ({ onGiven, shlink, url }: {
  readonly url: string
  /** The link as an app that reads SMART Health Links takes it, if the link is one. */
  readonly shlink: string | undefined
  readonly onGiven: () => void
}) => {
  const { made } = useLinkWords()
  const [news, setNews] = useState<News>()
  const address = useRef<HTMLInputElement>(null)
  const copy = (text: string) => {
    // A browser without a secure page has no clipboard, and one may refuse it.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("There is no clipboard."))
    copied.then(() => {
      onGiven()
      setNews({ is: "copied" })
    }, () => setNews({ is: "byHand", text }))
  }
  const share = () => {
    navigator.share({ url }).then(() => {
      onGiven()
      setNews({ is: "shared" })
    }, (failure: unknown) => {
      if (!(failure instanceof DOMException && failure.name === "AbortError")) setNews({ is: "notShared" })
    })
  }
  useEffect(() => {
    if (news?.is === "byHand") address.current?.select()
  }, [news])
  return (
    <>
      <div className="actions">
        <Button kind="outline" onClick={() => copy(url)}>{made.copy}</Button>
        {"share" in navigator ? <Button kind="outline" onClick={share}>{made.share}</Button> : null}
        {shlink === undefined
          ? null
          : <Button kind="outline" onClick={() => copy(shlink)}>{made.copyForApp}</Button>}
      </div>
      <p role="status">{news === undefined ? null : made[news.is]}</p>
      {news?.is === "byHand"
        ? (
          <input
            ref={address}
            className="usa-input"
            aria-label={made.address}
            readOnly
            value={news.text}
            onFocus={({ target }) => target.select()}
            onCopy={onGiven}
          />
        )
        : null}
    </>
  )
}
