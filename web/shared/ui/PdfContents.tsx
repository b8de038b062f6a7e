import type { Bookmark } from "../pdf/Bookmarks.ts"
import { usePdfWords } from "../pdf/PdfWords.ts"

/** The contents of a document, by its bookmarks. It is open where there is room beside the pages. */
export const PdfContents = ({ of, onGo }: {
  readonly of: ReadonlyArray<Bookmark>
  readonly onGo: (page: number) => void
}) => {
  const pdf = usePdfWords()
  return (
    <details className="pdf-contents" open={matchMedia("(min-width: 64rem)").matches}>
      <summary>{pdf.contents}</summary>
      <nav aria-label={pdf.contents}>
        <Entries of={of} onGo={onGo} />
      </nav>
    </details>
  )
}

const Entries = ({ of, onGo }: { readonly of: ReadonlyArray<Bookmark>; readonly onGo: (page: number) => void }) => (
  <ul>
    {of.map(({ inner, page, title }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- two bookmarks may be equal, and the list never changes
      <li key={index}>
        <button type="button" className="link" onClick={() => onGo(page)}>
          <bdi>{title}</bdi> <span className="soft number">{page}</span>
        </button>
        {inner.length === 0 ? null : <Entries of={inner} onGo={onGo} />}
      </li>
    ))}
  </ul>
)
