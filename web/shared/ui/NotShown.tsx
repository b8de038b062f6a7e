import { useWords } from "../language/Language.ts"
import { Notice } from "./Notice.tsx"

/** Shown in place of a file that cannot be displayed. It can still be saved. */
export const NotShown = () => <Notice kind="info" live>{useWords().notShown}</Notice>
