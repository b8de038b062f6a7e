import { useEffect, useState } from "react"
import { waitOf } from "../../shared/Words.ts"

/** The seconds until a time of the device's clock. It is no live region, because it would be read each second. */
export const Countdown = ({ until }: { readonly until: number }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <b className="number">{waitOf((until - now) / 1000)}</b>
}
