import { useEffect, useRef, useState } from "react"
import { listen, useAskBeforeLeaving } from "../../shared/Listen.ts"
import { Question } from "../../shared/ui/Question.tsx"
import { holdRoute } from "../Route.ts"
import { useLinkWords } from "./Words.ts"

/**
 * Asks before the veteran leaves a link that nobody has got. The screen and its address stay until the veteran has
 * decided, also when the way led back in the browser's history.
 */
export const Leaving = ({ address }: { readonly address: string }) => {
  const { leaving } = useLinkWords()
  /** Where the veteran wants to go. Null stands for one step back. */
  const [to, setTo] = useState<string | null>()
  const release = useRef(() => {})
  useEffect(() => {
    let isHeld = true
    const end = holdRoute(address)
    release.current = () => {
      isHeld = false
      end()
    }
    const moved = () => {
      if (!isHeld || location.hash === address) return
      setTo(location.hash)
      history.replaceState(null, "", address)
    }
    // An address that was put back has two entries. The way from one to the other changes no address.
    const turned = () => isHeld && location.hash === address ? setTo(null) : undefined
    const stop = listen({ hashchange: moved, popstate: turned })
    return () => {
      release.current()
      stop()
    }
  }, [address])
  // Another page, a reload or the window's end: only the browser itself may ask.
  useAskBeforeLeaving(true)
  if (to === undefined) return null
  const leave = () => {
    release.current()
    // It takes the place of the entry that was put back, so that the history is as if nobody had asked.
    if (to === null) history.back()
    else location.replace(to === "" ? "#/" : to)
  }
  return (
    <Question title={leaving.title} keep={[leaving.stay, () => setTo(undefined)]} go={[leaving.leave, leave]}>
      <p>{leaving.what}</p>
    </Question>
  )
}
