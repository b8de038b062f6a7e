import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react"
import { useSession } from "../session/Session.ts"
import { ConfirmDialog } from "./ConfirmDialog.tsx"
import { QuestionContext } from "./Confirmed.ts"
import { openConfirmNews } from "./ConfirmNews.ts"
import { makeQuestion } from "./Question.ts"

/** Shows the question above the screens that wait for it. Another window of the same veteran may answer it. */
export const ConfirmArea = ({ children }: { readonly children: ReactNode }) => {
  const { veteranId } = useSession()
  const [question] = useState(makeQuestion)
  const isOpen = useSyncExternalStore(question.subscribe, question.isOpen)
  useEffect(() => {
    const news = openConfirmNews()
    news.hear((told) => told.veteranId === veteranId ? question.confirm() : undefined)
    return news.close
  }, [question, veteranId])
  const confirmed = () => {
    const news = openConfirmNews()
    news.tell({ is: "confirmed", veteranId })
    news.close()
    question.confirm()
  }
  return (
    <QuestionContext value={question}>
      {children}
      {isOpen ? <ConfirmDialog onCancel={question.cancel} onConfirmed={confirmed} /> : null}
    </QuestionContext>
  )
}
