import { Notice } from "../../shared/ui/Notice.tsx"
import type { KindProgress } from "./Messages.ts"
import { causeWords, kinds } from "./UpdateWords.ts"

type Kinds = ReadonlyArray<KindProgress>

/** As many kinds with one cause that it is said once for all of them. */
const many = 3

/** The causes of many kinds, each with its kinds. */
const shared = (all: Kinds): ReadonlyArray<readonly [cause: string, of: Kinds]> => {
  const byCause = new Map<string, Array<KindProgress>>()
  for (const kind of all) {
    const cause = causeWords(kind)
    if (cause !== undefined) byCause.set(cause, [...byCause.get(cause) ?? [], kind])
  }
  return [...byCause].filter(([, of]) => of.length >= many)
}

/** The kinds whose cause is said once for many. */
export const saidOnce = (all: Kinds): ReadonlySet<string> =>
  new Set(shared(all).flatMap(([, of]) => of.map(({ resourceType }) => resourceType)))

/** Says each cause of many kinds once, with the number of kinds. */
export const Causes = ({ of: all }: { readonly of: Kinds }) => (
  <>
    {shared(all).map(([cause, of]) => (
      <Notice key={cause} kind="warning" title={`${kinds(of.length)} with one reason`}>
        <p>{cause}. {keptWords(of)}</p>
      </Notice>
    ))}
  </>
)

const keptWords = (of: Kinds) => {
  const older = of.filter(({ keepsOlder }) => keepsOlder).length
  return older === 0
    ? ""
    : older === of.length
    ? "We keep your older lists."
    : `We keep your older lists of ${kinds(older)}.`
}
