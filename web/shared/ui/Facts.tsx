import type { ReactNode } from "react"

/** Labels with their values, side by side if there is room. */
export const Facts = ({ of }: { readonly of: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
