import { useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Devices } from "../account/Devices.tsx"
import { ForgetDevice } from "../account/ForgetDevice.tsx"
import { Passkeys } from "../passkey/Passkeys.tsx"
import { useSession } from "../session/Session.ts"

/** The veteran's sign-ins, and what this app keeps (S15, its first part). */
export const Account = ({ onForget }: { readonly onForget: () => void }) => {
  const { callSign, signOut } = useSession()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Heading>Account</Heading>
      <p>
        You are signed in as <bdi>{callSign}</bdi>.
      </p>
      <Offline />
      <Devices />
      <Passkeys />
      <section className="card stack">
        <h2>What this app keeps on this device</h2>
        <p>
          A key that only this browser can use, the number of your sign-in, and the app's own files. No health data, and
          no password. VA's key to your record is gone when you close the app.
        </p>
        <div className="actions">
          <Button kind="outline" onClick={() => setAsked(true)}>Forget this device</Button>
        </div>
      </section>
      <div className="actions">
        <Button onClick={signOut}>Sign out</Button>
      </div>
      {isAsked ? <ForgetDevice onForget={onForget} onKeep={() => setAsked(false)} /> : null}
    </>
  )
}
