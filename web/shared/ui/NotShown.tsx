import { Notice } from "./Notice.tsx"

/** Stands where a file cannot be shown. It can be saved all the same. */
export const NotShown = () => <Notice kind="info" live>We can't show this here. You can download it.</Notice>
