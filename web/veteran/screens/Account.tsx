import { useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useSession } from "../session/Session.ts"
import { ForgetDevice } from "./ForgetDevice.tsx"

export const Account = ({ onForget }: { readonly onForget: () => void }) => {
  const { callSign, signOut } = useSession()
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Heading>Account</Heading>
      <p>{callSign}</p>
      <Button onClick={signOut}>Sign out</Button>
      <Button kind="outline" onClick={() => setAsked(true)}>Forget this device</Button>
      {asked ? <ForgetDevice onForget={onForget} onKeep={() => setAsked(false)} /> : null}
    </>
  )
}
