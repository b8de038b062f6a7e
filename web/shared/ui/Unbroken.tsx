import { Component, type ReactNode } from "react"

/** Shows `instead` if the content fails to render. */
export class Unbroken extends Component<
  { readonly children: ReactNode; readonly instead: ReactNode },
  { readonly broken: boolean }
> {
  static getDerivedStateFromError() {
    return { broken: true }
  }

  override state = { broken: false }

  override render() {
    return this.state.broken ? this.props.instead : this.props.children
  }
}
