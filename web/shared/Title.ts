import { useEffect } from "react"

/** Names what is shown in the tab and in the browser's history (WCAG 2.4.2), which stay on the machine: nobody's name, no health data. */
export const useTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - Veteran Records`
  }, [title])
