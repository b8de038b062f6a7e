import { Heading } from "../../shared/ui/Heading.tsx"

/** A document that a veteran shares. */
export const Document = (
  { documentId, veteranId }: { readonly veteranId: string; readonly documentId: string }
) => (
  <section className="card">
    <Heading>{veteranId} {documentId}</Heading>
  </section>
)
