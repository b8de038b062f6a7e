/** Stands in a sentence where the name comes. No text of ours has it. */
const slot = "\uFFFC"

/** A sentence with a name in it. Its owner chose the name, so it may run in another direction than the page. */
export const Named = ({ name, of }: { readonly of: (name: string) => string; readonly name: string }) => {
  const [before, after] = of(slot).split(slot)
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}
