import { Notice } from "./Notice.tsx"

/** Shown in place of a file that cannot be displayed. It can still be saved. */
export const NotShown = () => <Notice kind="info" live>We can't show this here. You can download it.</Notice>
