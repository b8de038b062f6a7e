import { isLoopback, type Rule } from "./VariableRules.ts"

/** The place of stored files in an S3 bucket. */
export interface BucketPlace {
  readonly bucket: string
  /** Precedes each key. It is empty or ends with a slash. */
  readonly prefix: string
}

/** Amazon's rules for names, which every store accepts, and prefixes that need no encoding in a URL. */
export const bucketUrl: Rule<BucketPlace> = {
  says: () =>
    "must be s3://bucket or s3://bucket/prefix, of lowercase bucket and letters, digits, -, _ and . in the prefix",
  parse: (value) => {
    const [, bucket, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w./-]*)?$/.exec(value) ?? []
    if (bucket === undefined) return undefined
    const parts = path.split("/").filter((part) => part !== "")
    if (parts.some((part) => /^\.+$/.test(part))) return undefined
    return { bucket, prefix: parts.map((part) => `${part}/`).join("") }
  }
}

export const textOf = ({ bucket, prefix }: BucketPlace) =>
  `s3://${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`

/** A store beside the process may be reached without TLS. A session token would otherwise be readable on the way. */
export const storeEndpoint: Rule<string> = {
  says: () => "must be an https URL without path, query or user, or an http one on loopback",
  parse: (value) => {
    const url = URL.parse(value)
    if (url === null || url.username !== "" || url.password !== "" || /[?#]/.test(value) || url.pathname !== "/") {
      return undefined
    }
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)) ? url.origin : undefined
  }
}

export const region: Rule<string> = {
  says: () => "must be a region, such as us-gov-west-1",
  parse: (value) => /^[a-z0-9-]{1,40}$/.test(value) ? value : undefined
}
