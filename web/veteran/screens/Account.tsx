import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { About } from "../account/About.tsx"
import { DeleteData } from "../account/DeleteData.tsx"
import { Devices } from "../account/Devices.tsx"
import { MyCopy } from "../account/MyCopy.tsx"
import { NoticeSettings } from "../account/NoticeSettings.tsx"
import { Person } from "../account/Person.tsx"
import { ThisDevice } from "../account/ThisDevice.tsx"
import { VaSignIns } from "../account/VaSignIns.tsx"
import { useAccountWords } from "../account/Words.ts"
import { Passkeys } from "../passkey/Passkeys.tsx"
import { useSession } from "../session/Session.ts"
import "../share/share.css"

/** The veteran's account: who they are, how they sign in, what they are told, and their data (S15). */
export const Account = ({ onForget }: { readonly onForget: () => void }) => {
  const { callSign, signOut } = useSession()
  const words = useAccountWords()
  return (
    <>
      <Heading>{words.title}</Heading>
      {/* A veteran who shares a device looks for this first, and must not take "End all" for it. */}
      <div className="row between">
        <Facts of={[[words.signedInAs, <bdi key="name">{callSign}</bdi>]]} />
        <Button kind="outline" onClick={signOut}>{words.signOut}</Button>
      </div>
      <Offline />
      <Person />
      <Devices />
      <Passkeys />
      <VaSignIns />
      <NoticeSettings />
      <MyCopy />
      <DeleteData />
      <ThisDevice onForget={onForget} />
      <About />
    </>
  )
}
