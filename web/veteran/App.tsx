import { Page } from "../shared/ui/Page.tsx"

/** The veteran's app: the screens of a person who holds their own record. */
export const App = () => (
  <Page narrow>
    <h1>Your VA health record, shared the way you decide</h1>
  </Page>
)
