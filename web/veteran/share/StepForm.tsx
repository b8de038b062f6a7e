import type { ReactNode } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useShareWords } from "./Words.ts"

/** A step of an act as a form: its heading, its parts, one way on, one way back. The way on submits it. */
export const StepForm = ({ children, heading, onBack, onSubmit }: {
  readonly children: ReactNode
  readonly heading: string
  readonly onBack: () => void
  readonly onSubmit: () => void
}) => {
  const { back, next } = useShareWords()
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Heading>{heading}</Heading>
      {children}
      <div className="actions">
        <Button type="submit">{next}</Button>
        <Button kind="outline" onClick={onBack}>{back}</Button>
      </div>
    </form>
  )
}
