import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import type { Adding } from "./Adding.ts"
import { useDocumentsWords } from "./Words.ts"

/**
 * Says what became of a file, or why it was not taken. The live region exists before its words, so that they are read
 * aloud.
 */
export const AddingNews = ({ adding: { isUnreached, news, refusal } }: { readonly adding: Adding }) => {
  const { add, news: words, problems } = useDocumentsWords()
  const own = news?.is === "lost"
    ? words.lost
    : news?.is === "failed" && Object.hasOwn(problems, news.problem.error)
    ? problems[news.problem.error as keyof typeof problems]
    : undefined
  return (
    <>
      <div role="status">
        {news?.is === "saved" || news?.is === "savedMeanwhile"
          ? (
            <Notice kind="success">
              {words[news.is]} <bdi>{news.name}</bdi>
            </Notice>
          )
          : news?.is === "cancelled"
          ? <Notice kind="info">{words.cancelled}</Notice>
          : null}
      </div>
      {refusal === undefined
        ? null
        : <Notice kind="error" live>{refusal === "many" ? add.one : add.refusals[refusal]}</Notice>}
      {isUnreached ? <Notice kind="error" live title={words.doubt.title}>{words.doubt.text}</Notice> : null}
      {own !== undefined
        ? <Notice kind="error" live title={own.title}>{own.text}</Notice>
        : news?.is === "failed"
        ? <Trouble problem={news.problem} />
        : null}
    </>
  )
}
