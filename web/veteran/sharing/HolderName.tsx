import type { Sharing } from "../../../src/domain/Sharing.ts"
import { Named } from "./Named.tsx"
import { useSharingWords } from "./Words.ts"

/** Names a sharing by its holder. The holder chose the name, so it may run in another direction than the page. */
export const HolderName = ({ kind, who }: Pick<Sharing, "kind" | "who">) => {
  const { linkFor } = useSharingWords()
  return kind === "link" ? <Named of={linkFor} name={who.name} /> : <bdi>{who.name}</bdi>
}
