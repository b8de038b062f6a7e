import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { DocumentsCard } from "../home/DocumentsCard.tsx"
import { HoldersCard } from "../home/HoldersCard.tsx"
import { LastLook } from "../home/LastLook.tsx"
import { News } from "../home/News.tsx"
import { RecordCard } from "../home/RecordCard.tsx"
import { useHomeWords } from "../home/Words.ts"
import { OfferPasskey } from "../passkey/OfferPasskey.tsx"
import { useSession } from "../session/Session.ts"
import { useActiveSharing } from "../sharing/ActiveSharing.ts"
import { Named } from "../sharing/Named.tsx"

/** S4: how new the record is, who has it, and the latest look. A part that fails says so by itself. */
export const Home = () => {
  const { callSign } = useSession()
  const reading = useActiveSharing()
  return (
    <>
      <Heading>
        <Named of={useHomeWords().hello} name={callSign} />
      </Heading>
      <OfferPasskey />
      <Offline loadedAt={reading.state.is === "done" ? reading.state.at : undefined} />
      <News reading={reading} />
      <RecordCard />
      <HoldersCard reading={reading} />
      <LastLook />
      <DocumentsCard />
    </>
  )
}
