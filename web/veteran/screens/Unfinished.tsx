import { Notice } from "../../shared/ui/Notice.tsx"

/** Shown while the service has not heard that a session ended. Nothing on this device can use it any more. */
export const Unfinished = () => (
  <Notice kind="warning" live title="Signing out is not finished">
    The service can't be reached. We keep trying while this page is open. The session ends by itself within 30 minutes.
  </Notice>
)
