import { type ReactNode, useEffect, useRef } from "react"

/** The one `h1` of a step. It takes the focus when the step begins, so that a screen reader says where one is (WCAG 2.4.3). */
export const Heading = ({ children }: { readonly children: ReactNode }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return <h1 tabIndex={-1} ref={heading}>{children}</h1>
}
