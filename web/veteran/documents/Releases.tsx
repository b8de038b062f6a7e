import type { Document } from "../../../src/domain/Document.ts"
import { dayWords } from "../../shared/Dates.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { Tag } from "../../shared/ui/Tag.tsx"
import { lastBefore } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import type { Links } from "./DocumentList.ts"
import { titleOf } from "./DocumentTitle.ts"
import { ReleaseLinks } from "./ReleaseLinks.tsx"
import { Ways } from "./Ways.tsx"
import { useDocumentsWords } from "./Words.ts"

/** The releases that the veteran signed, with what became of each. */
export const Releases = ({ documents, hasMore, links, off, onRemove }: {
  readonly documents: ReadonlyArray<Document>
  readonly hasMore: boolean
  readonly links: Links
  readonly off: string | undefined
  readonly onRemove: (document: Document) => void
}) => {
  const { files, releases } = useDocumentsWords()
  return (
    <section className="stack">
      <h2>{releases.title}</h2>
      {documents.length === 0 ? <p>{hasMore ? files.noneSoFar : releases.none}</p> : null}
      <div className="actions">
        <a className="usa-button usa-button--outline" href={addressOf({ screen: "release" })}>{releases.sign}</a>
      </div>
      <ul className="cards">
        {documents.map((document) => (
          <li key={document.id} className="card stack">
            <Release document={document} links={links} off={off} onRemove={onRemove} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Release = ({ document, links, off, onRemove }: {
  readonly document: Document
  readonly links: Links
  readonly off: string | undefined
  readonly onRemove: (document: Document) => void
}) => {
  const { releases } = useDocumentsWords()
  const { byteSize, id, release, signedAt } = document
  const isInForce = release?.status === "in_force"
  const label = titleOf(document)
  return (
    <>
      <div>
        <div className="who">
          <h3>
            <bdi>{label}</bdi>
          </h3>
          {release === null
            ? null
            : <Tag kind={isInForce ? "good" : "off"}>{releases.status[release.status]}</Tag>}
        </div>
        <p>{release === null ? null : statusWords(release, releases)}</p>
        <p className="soft">
          {releases.about(sizeWords(byteSize), dayWords(signedAt ?? document.createdAt))}
        </p>
      </div>
      <ReleaseLinks id={id} links={links} />
      {isInForce
        ? (
          <div className="actions">
            <a className="usa-button" href={addressOf({ screen: "link", document: id })}>{releases.makeLink}</a>
            <a
              className="usa-button usa-button--outline"
              href={addressOf({ screen: "release", replaces: id })}
            >
              {releases.change}
            </a>
          </div>
        )
        : null}
      <Ways document={document} label={label} offline={off} onRemove={isInForce ? undefined : onRemove} />
      {isInForce
        ? (
          <p className="soft">
            {releases.inForce} <a href={addressOf({ screen: "sharing" })}>{releases.end}</a>
          </p>
        )
        : null}
    </>
  )
}

const statusWords = (
  { endsAt, revokedAt, status }: NonNullable<Document["release"]>,
  words: ReturnType<typeof useDocumentsWords>["releases"]
) => {
  switch (status) {
    case "in_force":
      return words.until(dayWords(lastBefore(endsAt)))
    case "expired":
      return words.expired(dayWords(endsAt))
    case "revoked":
      return revokedAt === null ? null : words.revoked(dayWords(revokedAt))
    case "superseded":
      return words.superseded
  }
}
