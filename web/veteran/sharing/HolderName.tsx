import type { Sharing } from "../../../src/domain/Sharing.ts"

/** Names a sharing by its holder. The holder chose the name, so it may run in another direction than the page. */
export const HolderName = ({ kind, who }: Pick<Sharing, "kind" | "who">) =>
  kind === "link"
    ? (
      <>
        Link for <bdi>{who.name}</bdi>
      </>
    )
    : <bdi>{who.name}</bdi>
