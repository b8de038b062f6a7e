import { type ReactNode, useLayoutEffect, useRef } from "react"

/**
 * The one `h1` of a step. It takes the focus when the step begins, so that a screen reader says where one is (WCAG 2.4.3), and
 * before anything is painted: from somebody who has seen the page and pressed a key the focus is not taken away.
 */
export const Heading = ({ children }: { readonly children: ReactNode }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return <h1 tabIndex={-1} ref={heading}>{children}</h1>
}
