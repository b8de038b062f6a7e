import { Notice } from "../../shared/ui/Notice.tsx"
import { useConnectWords } from "../connect/Words.ts"

/** Shown while the service has not heard that a session ended. Nothing on this device can use it any more. */
export const Unfinished = () => {
  const { unfinished } = useConnectWords()
  return <Notice kind="warning" live title={unfinished.title}>{unfinished.text}</Notice>
}
