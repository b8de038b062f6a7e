import { useState } from "react"
import { Action } from "../../shared/ui/Button.tsx"
import { Card } from "./Card.tsx"
import { ForgetDevice } from "./ForgetDevice.tsx"
import { useAccountWords } from "./Words.ts"

/** What this app keeps on the device, and how that is removed. */
export const ThisDevice = ({ onForget }: { readonly onForget: () => void }) => {
  const { device: words } = useAccountWords()
  const [isAsked, setAsked] = useState(false)
  return (
    <Card title={words.title}>
      <p>{words.text}</p>
      <Action kind="outline" onClick={() => setAsked(true)}>{words.forget}</Action>
      {isAsked ? <ForgetDevice onForget={onForget} onKeep={() => setAsked(false)} /> : null}
    </Card>
  )
}
