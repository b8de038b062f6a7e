import { Heading } from "../../shared/ui/Heading.tsx"

/** What a veteran shares with the provider. */
export const Record = ({ veteranId }: { readonly veteranId: string }) => (
  <section className="card">
    <Heading>{veteranId}</Heading>
  </section>
)
