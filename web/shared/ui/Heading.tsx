import { type ReactNode, useLayoutEffect, useRef } from "react"

/**
 * The only `h1` of a step. It takes the focus when the step begins, so that a screen reader announces the step (WCAG
 * 2.4.3). It does so before the browser paints, so that it never takes the focus from somebody who has already pressed
 * a key.
 */
export const Heading = ({ children }: { readonly children: ReactNode }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return <h1 tabIndex={-1} ref={heading}>{children}</h1>
}
