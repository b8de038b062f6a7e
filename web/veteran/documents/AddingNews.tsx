import { Notice } from "../../shared/ui/Notice.tsx"
import { Done } from "../account/Done.tsx"
import { OwnTrouble } from "../OwnTrouble.tsx"
import type { Adding } from "./Adding.ts"
import { useDocumentsWords } from "./Words.ts"

/**
 * Says what became of a file, or why it was not taken. The live region exists before its words, so that they are read
 * aloud.
 */
export const AddingNews = ({ adding: { isUnreached, news, refusal } }: { readonly adding: Adding }) => {
  const { add, news: words, problems } = useDocumentsWords()
  const isSaved = news?.is === "saved" || news?.is === "savedMeanwhile"
  return (
    <>
      <Done kind={isSaved ? "success" : "info"}>
        {isSaved
          ? (
            <>
              {words[news.is]} <bdi>{news.name}</bdi>
            </>
          )
          : news?.is === "cancelled"
          ? words.cancelled
          : undefined}
      </Done>
      {refusal === undefined
        ? null
        : <Notice kind="error" live>{refusal === "many" ? add.one : add.refusals[refusal]}</Notice>}
      {isUnreached ? <Notice kind="error" live title={words.doubt.title}>{words.doubt.text}</Notice> : null}
      {news?.is === "lost" ? <Notice kind="error" live title={words.lost.title}>{words.lost.text}</Notice> : null}
      {news?.is === "failed" ? <OwnTrouble problem={news.problem} own={problems} /> : null}
    </>
  )
}
