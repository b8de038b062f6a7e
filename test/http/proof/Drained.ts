import { randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { call, type SignedIn } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

/** The tests of the tree share this. */

export const drainerSecret = "test drainer secret of at least 32 bytes"

export const withDrainer = { PROOF_DRAINER_SECRET: drainerSecret }

export const drain = async (service: Pick<Service, "url">) => {
  const answer = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: { "x-proof-drainer-secret": drainerSecret }
  })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json as { readonly drained: number; readonly treeSize: number }
}

/** Writes as many events of the veteran as acts would, in one statement, and answers their ids. */
export const writeEvents = async (
  owner: pg.Client,
  veteranId: string,
  count: number
): Promise<ReadonlyArray<string>> => {
  const { rows } = await owner.query(
    `insert into proofs (veteran_id, id, kind, at, event)
     select $1::uuid, app.uuid_v7(clock_timestamp()), 'document_read', clock_timestamp(),
       jsonb_build_object('actor', jsonb_build_object('kind', 'veteran', 'id', $1::text), 'documentId', $2::text, 'n', n)
     from generate_series(1, $3) n returning id`,
    [veteranId, randomUUID(), count]
  )
  return rows.map(({ id }) => id)
}

export const proofOf = (service: Pick<Service, "url">, veteran: SignedIn, id: string, accept?: string) =>
  call(service, "GET", `/api/veteran/me/disclosures/${id}/proof`, {
    headers: { ...veteran.headers, ...(accept === undefined ? {} : { accept }) }
  })

export const textOf = async (service: Pick<Service, "url">, path: string) => {
  const answer = await call(service, "GET", path)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.text
}
