import type { GapCause } from "../../../src/client/FhirReader.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import type { KindProgress } from "./Messages.ts"
import { causeOf } from "./UpdateWords.ts"
import { updateWords, useUpdateWords } from "./Words.ts"

type Kinds = ReadonlyArray<KindProgress>

/** As many kinds with one cause that it is said once for all of them. */
const many = 3

/** The causes of many kinds, each with its kinds. */
const shared = (all: Kinds): ReadonlyArray<readonly [cause: GapCause, of: Kinds]> => {
  const byCause = new Map<GapCause, Array<KindProgress>>()
  for (const kind of all) {
    const cause = causeOf(kind)
    if (cause !== undefined) byCause.set(cause, [...byCause.get(cause) ?? [], kind])
  }
  return [...byCause].filter(([, of]) => of.length >= many)
}

/** The kinds whose cause is said once for many. */
export const saidOnce = (all: Kinds): ReadonlySet<string> =>
  new Set(shared(all).flatMap(([, of]) => of.map(({ resourceType }) => resourceType)))

/** Says each cause of many kinds once, with the number of kinds. */
export const Causes = ({ of: all }: { readonly of: Kinds }) => {
  const words = useUpdateWords()
  return shared(all).map(([cause, of]) => (
    <Notice key={cause} kind="warning" title={words.shared.title(of.length)}>
      {words.causes[cause]}. {keptWords(of)}
    </Notice>
  ))
}

const keptWords = (of: Kinds) => {
  const older = of.filter(({ keepsOlder }) => keepsOlder).length
  const { allOlder, someOlder } = updateWords().shared
  return older === 0 ? "" : older === of.length ? allOlder : someOlder(older)
}
