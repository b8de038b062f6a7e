import type { LinkViewed } from "./LinkViews.ts"
import { Named } from "./Named.tsx"
import { useSharingWords } from "./Words.ts"

/** Whether a link was read on its page or in an app. The app may say anything of its user. */
export const ViewedVia = ({ viewed }: { readonly viewed: LinkViewed | undefined }) => {
  const { via } = useSharingWords()
  if (viewed === undefined || viewed.viewedVia === null) return null
  return (
    <p className="soft small">
      {via[viewed.viewedVia === "page" && viewed.claimedRecipient !== null ? "both" : viewed.viewedVia]}
      {viewed.claimedRecipient === null
        ? null
        : (
          <>
            {" "}
            <Named of={via.claimed} name={viewed.claimedRecipient} />
          </>
        )}
    </p>
  )
}
