import { assert } from "vitest"
import { type App, fhir } from "../http/fhir/Apps.ts"
import { drain } from "../http/ledger/Drained.ts"
import { createLink } from "../http/link/Links.ts"
import { release, upload } from "../http/release/Releases.ts"
import { newAuthenticator } from "../support/Authenticator.ts"
import { type Call, call, giveGrant, providerPassword, type SignedIn } from "../support/Client.ts"
import { atVa, type Device, type Person, proofOf } from "../support/Device.ts"
import { addPasskey, appOrigin, askNewPasskey, confirmByPasskey, newPasskey } from "../support/Passkeys.ts"
import type { Service } from "../support/Service.ts"
import { digestOf, postSync, resource } from "../support/Sync.ts"
import { newSubject, type VaIssuer } from "../support/VaIssuer.ts"

/** The people who ask, and what they may ask about beside what they make themselves. */
export interface World {
  readonly service: Service
  readonly va: VaIssuer
  readonly veteran: SignedIn
  readonly person: Person
  readonly device: Device
  readonly provider: SignedIn & { readonly email: string }
  readonly app: App
  /** Subjects of many events each. */
  readonly old: { readonly clientId: string; readonly documentId: string; readonly grantId: string }
  /** The resources of the veteran's largest type. */
  readonly texts: ReadonlyArray<string>
}

type Requests = Readonly<Record<string, () => Promise<unknown>>>

const nobody = "019f0000-0000-7000-8000-00000000ffff"

/**
 * Sends each request that a veteran, a provider or an app can make, by the route's template. The order is one in which
 * each succeeds. Lists are asked for pages that the newest rows fill, and for pages that no row or an old row fits.
 */
export const everyRequest = ({ app, device, old, person, provider, service, texts, va, veteran }: World): Requests => {
  const as = (who: { readonly headers: Call["headers"] }) => async (method: string, path: string, body?: unknown) => {
    const answer = await call(service, method, path, {
      headers: who.headers ?? {},
      ...(body === undefined ? {} : { body })
    })
    assert.isBelow(answer.status, 300, `${method} ${path}: ${answer.text}`)
    return answer.json
  }
  const [own, theirs, apps] = [as(veteran), as(provider), as(app)]
  const me = "/api/veteran/me"
  const lists = async (path: string, queries: ReadonlyArray<string> = []) => {
    for (const query of ["limit=1", ...queries]) await own("GET", `${me}/${path}?${query}`)
  }
  const patient = `/api/provider/patients/${veteran?.id}`
  const grant = (changes = {}) => giveGrant(service, veteran, provider, { sensitiveCategories: ["hiv"], ...changes })
  const made = { grant: "", document: "", release: "", link: "", entry: "", disclosure: "" }
  const observations = (n: number) => texts.slice(0, n)
  return {
    "POST /api/veteran/:veteranId/consent-grants": async () => {
      const changes = { includeDocuments: false, includeSelfReported: false }
      await grant(changes)
      made.grant = (await grant(changes)).id
    },
    "POST /api/veteran/:veteranId/documents": async () => {
      for (const name of ["one.txt", "two.txt"]) made.document = (await upload(service, veteran, name, name)).json.id
    },
    "POST /api/veteran/:veteranId/self-reported-entries": async () => {
      for (const text of ["a", "b"]) {
        made.entry = (await own("POST", `${me}/self-reported-entries`, { category: "note", text })).id
      }
    },
    "POST /api/veteran/:veteranId/health-record/sync": async () => {
      const conditions = [resource("Condition", "c1"), resource("Condition", "c2")]
      const send = async (
        ...body: [Record<string, string>, Record<string, ReadonlyArray<string>>?, Record<string, string>?]
      ) => assert.strictEqual((await postSync(service, veteran, ...body)).status, 200)
      await send({ Condition: "complete" }, { Condition: conditions })
      await send({ Condition: "complete" }, {}, { Condition: digestOf(conditions) })
      await send({ Observation: "partial" }, { Observation: observations(2) })
    },
    "POST /api/provider/patients/:veteranId/notes": async () => {
      for (const text of ["a", "b"]) await theirs("POST", `${patient}/notes`, { text })
    },
    "GET /api/veteran/:veteranId/roi/readiness": () => own("GET", `${me}/roi/readiness`),
    "POST /api/veteran/:veteranId/roi/preview": () =>
      own("POST", `${me}/roi/preview`, release({ information: { resourceTypes: ["Condition"], documentIds: [] } })),
    "POST /api/veteran/:veteranId/roi": async () => {
      for (const _ of [1, 2]) {
        const information = { resourceTypes: ["Condition"], documentIds: [made.document] }
        made.release = (await own("POST", `${me}/roi`, release({ information }))).document.id
      }
    },
    "POST /api/veteran/:veteranId/secure-links": async () => {
      for (const _ of [1, 2]) made.link = (await createLink(service, veteran, { documentId: made.release })).id
      await createLink(service, veteran, { documentId: made.release, smartHealthLink: true })
    },
    "POST /api/veteran/:veteranId/secure-links/:linkId/code": async () => {
      const { link } = await own("POST", `${me}/secure-links`, {
        documentId: made.release,
        recipientName: "Jane",
        recipientEmail: "jane@clinic.example",
        smartHealthLink: true
      })
      await own("POST", `${me}/secure-links/${link.id}/code`)
    },

    "GET /api/veteran/:veteranId": () => own("GET", me),
    "GET /api/veteran/:veteranId/provider-notes": () => lists("provider-notes"),
    "GET /api/veteran/:veteranId/provider-directory": () =>
      own("GET", `${me}/provider-directory?email=${provider.email}`),
    "GET /api/veteran/:veteranId/health-record": () =>
      lists("health-record", ["limit=100", "resourceType=Condition&limit=1", "resourceType=Procedure",
        "includeInactive=true&limit=1"]),
    "GET /api/veteran/:veteranId/health-record/manifest": () => own("GET", `${me}/health-record/manifest`),
    "GET /api/veteran/:veteranId/alerts": () => own("GET", `${me}/alerts`),
    "GET /api/veteran/:veteranId/self-reported-entries": () => lists("self-reported-entries"),
    "GET /api/veteran/:veteranId/consent-grants": () => lists("consent-grants", ["limit=200"]),
    "GET /api/veteran/:veteranId/sharing": () =>
      lists("sharing", ["", "status=active&limit=1", "status=active&limit=200"]),
    "GET /api/veteran/:veteranId/documents": () => lists("documents"),
    "GET /api/veteran/:veteranId/documents/:documentId": () => own("GET", `${me}/documents/${made.document}`),
    "GET /api/veteran/:veteranId/documents/:documentId/content": () =>
      own("GET", `${me}/documents/${made.document}/content`),
    "GET /api/veteran/:veteranId/documents/:documentId/record": () =>
      own("GET", `${me}/documents/${made.release}/record`),
    "GET /api/veteran/:veteranId/documents/:documentId/ccda": () => own("GET", `${me}/documents/${made.release}/ccda`),
    "GET /api/veteran/:veteranId/secure-links": () => lists("secure-links"),
    "GET /api/veteran/:veteranId/roi/:documentId/fhir": () => own("GET", `${me}/roi/${made.release}/fhir`),
    "GET /api/veteran/:veteranId/consent-grants/:grantId/fhir": () =>
      own("GET", `${me}/consent-grants/${made.grant}/fhir`),
    "GET /api/veteran/:veteranId/disclosures": async () => {
      const subjects = [`documentId=${old.documentId}`, `grantId=${old.grantId}`, `clientId=${old.clientId}`,
        `providerId=${provider.id}`]
      const filters = ["", "limit=200", ...subjects, `linkId=${made.link}`, `grantId=${nobody}`, `documentId=${nobody}`,
        ...subjects.flatMap((subject) =>
          ["kind=shape_exported", "about=looks", "to=2000-01-01", "from=2100-01-01", "to=2021-01-01"].map((more) =>
            `${subject}&${more}`
          )
        ), "kind=grant_given", "kind=note_written,roi_signed", "about=looks", "to=2000-01-01", "from=2100-01-01",
        "to=2021-01-01", "kind=deletion_done", `grantId=${old.grantId}&providerId=${provider.id}`,
        `grantId=${made.grant}&clientId=${old.clientId}`]
      // Before and after the events of this test are sealed.
      await lists("disclosures", filters)
      await drain(service)
      await lists("disclosures", filters)
      made.disclosure = (await own("GET", `${me}/disclosures?limit=1&kind=note_written`)).items[0].id
    },
    "GET /api/veteran/:veteranId/disclosures/fhir": () => lists("disclosures/fhir", ["", "to=2000-01-01"]),
    "GET /api/veteran/:veteranId/disclosures/:disclosureId/proof": () =>
      own("GET", `${me}/disclosures/${made.disclosure}/proof`),
    "GET /api/veteran/:veteranId/sessions": () => own("GET", `${me}/sessions`),
    "GET /api/veteran/:veteranId/identities": () => own("GET", `${me}/identities`),
    "GET /api/veteran/:veteranId/passkeys": () => own("GET", `${me}/passkeys`),
    "GET /api/veteran/:veteranId/notices": () => own("GET", `${me}/notices`),

    "GET /api/provider/me": () => theirs("GET", "/api/provider/me"),
    "GET /api/provider/patients": async () => {
      for (const query of ["limit=1", "limit=20", `veteranId=${veteran.id}`]) {
        await theirs("GET", `/api/provider/patients?${query}`)
      }
    },
    "GET /api/provider/patients/:veteranId/record": async () => {
      for (const query of ["limit=1", "limit=100", "resourceType=Condition", "resourceType=Procedure"]) {
        await theirs("GET", `${patient}/record?${query}`)
      }
    },
    "GET /api/provider/patients/:veteranId/record/changes": async () => {
      for (const query of ["limit=1", "since=2020-01-01T00:00:00Z&limit=1", "since=2100-01-01T00:00:00Z"]) {
        await theirs("GET", `${patient}/record/changes?${query}`)
      }
    },
    "POST /api/provider/patients/:veteranId/record/saved": () => theirs("POST", `${patient}/record/saved`),
    "GET /api/provider/patients/:veteranId/notes": async () => {
      for (const query of ["limit=1", ""]) await theirs("GET", `${patient}/notes?${query}`)
    },
    "GET /api/provider/patients/:veteranId/documents/:documentId/content": async () => {
      await grant()
      await theirs("GET", `${patient}/documents/${made.document}/content`)
      // It fails after it has read documents and entries, which the test cannot seal.
      await call(service, "GET", `${patient}/record?limit=1`, { headers: provider.headers })
    },
    "POST /api/provider/invitations": () => theirs("POST", "/api/provider/invitations", {}),
    "GET /api/provider/invitations": () => theirs("GET", "/api/provider/invitations?limit=1"),
    "POST /api/provider/invitations/:invitationId/revoke": async () => {
      const { id } = await theirs("POST", "/api/provider/invitations", {})
      await theirs("POST", `/api/provider/invitations/${id}/revoke`)
    },

    "GET /api/fhir/R4/:resourceType": async () => {
      for (
        const query of ["Observation?_count=1", "Observation?_count=100", "Condition", "Procedure",
          "Observation?_id=o5", "Observation?_summary=count", "Observation?status=final&_count=1",
          "Observation?_lastUpdated=gt2100-01-01", "Patient", `Observation?patient=${veteran.id}&_count=1`]
      ) await apps("GET", `${fhir}/${query}`)
    },
    "POST /api/fhir/R4/:resourceType/_search": () =>
      call(service, "POST", `${fhir}/Observation/_search`, {
        headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
        body: "_count=1"
      }),
    "GET /api/fhir/R4/:resourceType/:id": () => apps("GET", `${fhir}/Observation/o7`),
    "GET /api/fhir/R4/Patient/:id/:resourceType": () =>
      apps("GET", `${fhir}/Patient/${veteran.id}/Observation?_count=1`),
    "GET /api/fhir/R4/Patient/:id/$everything": () => apps("GET", `${fhir}/Patient/${veteran.id}/$everything?_count=1`),
    "POST /api/fhir/R4/Patient/:id/$everything": () =>
      apps("POST", `${fhir}/Patient/${veteran.id}/$everything`, {
        resourceType: "Parameters",
        parameter: [{ name: "_count", valueInteger: 1 }]
      }),

    "PATCH /api/veteran/:veteranId/self-reported-entries/:entryId": () =>
      own("PATCH", `${me}/self-reported-entries/${made.entry}`, { text: "c" }),
    "DELETE /api/veteran/:veteranId/self-reported-entries/:entryId": () =>
      own("DELETE", `${me}/self-reported-entries/${made.entry}`),
    "POST /api/veteran/:veteranId/secure-links/:linkId/revoke": () =>
      own("POST", `${me}/secure-links/${made.link}/revoke`),
    "POST /api/veteran/:veteranId/consent-grants/:grantId/revoke": () =>
      own("POST", `${me}/consent-grants/${made.grant}/revoke`),
    "POST /api/veteran/:veteranId/sharing/:kind/:id/stop": async () => {
      for (const _ of [1, 2]) await own("POST", `${me}/sharing/provider/${(await grant()).id}/stop`)
      await lists("sharing", ["status=ended&limit=1"])
    },
    "POST /api/veteran/:veteranId/roi/:documentId/revoke": () => own("POST", `${me}/roi/${made.release}/revoke`),
    "DELETE /api/veteran/:veteranId/documents/:documentId": async () => {
      await own("DELETE", `${me}/documents/${made.release}`)
      await own("DELETE", `${me}/documents/${(await upload(service, veteran, "three")).json.id}`)
    },
    "PUT /api/veteran/:veteranId/notices": () => own("PUT", `${me}/notices`, { looks: "each" }),
    "POST /api/veteran/:veteranId/email": () => own("POST", `${me}/email`, { email: "new@example.org" }),
    "POST /api/veteran/:veteranId/email/verify": async () => {
      const { challengeId } = await own("POST", `${me}/email`, { email: "newer@example.org" })
      const { status } = await call(service, "POST", `${me}/email/verify`, {
        headers: veteran.headers,
        body: { challengeId, code: "00000000" }
      })
      assert.strictEqual(status, 401)
    },
    "POST /api/veteran/:veteranId/passkeys/challenge": () => askNewPasskey(service, veteran.headers),
    "POST /api/veteran/:veteranId/passkeys": () => newPasskey(service, veteran.headers),
    "POST /api/veteran/:veteranId/sessions/current/confirm": async () => {
      const passkey = await newPasskey(service, veteran.headers)
      assert.strictEqual((await confirmByPasskey(service, device, veteran.headers, passkey)).status, 200)
    },
    "POST /api/veteran/:veteranId/passkeys/:passkeyId/remove": async () => {
      const added = await addPasskey(service, veteran.headers, newAuthenticator({ origin: appOrigin }))
      await own("POST", `${me}/passkeys/${added.json.id}/remove`)
    },
    "POST /api/veteran/:veteranId/identities": async () => {
      const path = `${me}/identities`
      const asked = await atVa(service, va, device, { subject: newSubject() })
      const answer = await call(service, "POST", path, {
        headers: { ...veteran.headers, ...await proofOf(service, device, path, asked.challenge) },
        body: { ...asked, vaPatientId: person.vaPatientId }
      })
      assert.strictEqual(answer.status, 201, answer.text)
    },
    "POST /api/veteran/:veteranId/deletion": () => own("POST", `${me}/deletion`, { confirm: "Eagle" }),
    "GET /api/veteran/:veteranId/deletion": () => own("GET", `${me}/deletion`),
    "POST /api/veteran/:veteranId/deletion/cancel": () => own("POST", `${me}/deletion/cancel`),
    "POST /api/veteran/:veteranId/sharing/stop-all": () => own("POST", `${me}/sharing/stop-all`, {}),
    "POST /api/provider/password": () =>
      theirs("POST", "/api/provider/password", {
        password: providerPassword,
        newPassword: `${providerPassword} again`
      }),
    "POST /api/provider/session/refresh": () => theirs("POST", "/api/provider/session/refresh"),
    "POST /api/provider/logout": () => theirs("POST", "/api/provider/logout"),
    "POST /api/veteran/:veteranId/sessions/:sessionId/end": async () => {
      await call(service, "POST", `${me}/sessions/${nobody}/end`, { headers: veteran.headers })
    },
    "POST /api/veteran/:veteranId/identities/:identityId/remove": async () => {
      await call(service, "POST", `${me}/identities/${nobody}/remove`, { headers: veteran.headers })
    },
    "POST /api/veteran/:veteranId/sessions/end-all": () => own("POST", `${me}/sessions/end-all`),
    "POST /api/veteran/:veteranId/sessions/current/end": () =>
      call(service, "POST", `${me}/sessions/current/end`, { headers: veteran.headers })
  }
}
