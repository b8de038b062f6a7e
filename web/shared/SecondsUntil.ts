import { useEffect, useState } from "react"

/** Counts down without announcing each second. A screen reader reads the time only when it reaches the button. */
export const useSecondsUntil = (time: number) => {
  const [now, setNow] = useState(Date.now)
  const seconds = Math.max(0, Math.ceil((time - now) / 1000))
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= time) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [time])
  return seconds
}
