import { useEffect, useRef, useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { useLinkWords } from "./Words.ts"

/**
 * Asks before the veteran leaves a link that nobody has got. The address of this screen is put back until the veteran
 * has decided, also when the way led back in the browser's history.
 */
export const Leaving = ({ address }: { readonly address: string }) => {
  const { leaving } = useLinkWords()
  const [to, setTo] = useState<string>()
  const isDecided = useRef(false)
  useEffect(() => {
    const hold = (event: HashChangeEvent) => {
      if (isDecided.current || location.hash === address) return
      event.stopImmediatePropagation()
      setTo(location.hash)
      history.replaceState(null, "", address)
    }
    // Another page, a reload or the window's end: only the browser itself may ask.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("hashchange", hold, { capture: true })
    addEventListener("beforeunload", warn)
    return () => {
      removeEventListener("hashchange", hold, { capture: true })
      removeEventListener("beforeunload", warn)
    }
  }, [address])
  if (to === undefined) return null
  return (
    <Dialog title={leaving.title} onCancel={() => setTo(undefined)}>
      <p>{leaving.what}</p>
      <div className="actions">
        <Button onClick={() => setTo(undefined)}>{leaving.stay}</Button>
        <Button
          kind="outline"
          onClick={() => {
            isDecided.current = true
            // It takes the place of the entry that was put back, so that the history is as if nobody had asked.
            location.replace(to === "" ? "#/" : to)
          }}
        >
          {leaving.leave}
        </Button>
      </div>
    </Dialog>
  )
}
