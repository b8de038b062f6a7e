import { useEffect } from "react"

/**
 * Sets the title of the tab and of the browser's history (WCAG 2.4.2). Both stay on the computer, so the title has no
 * names and no health data.
 */
export const useTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - Veteran Records`
  }, [title])
