import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

test("A policy shows its classes in words", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Coverage",
      status: "cancelled",
      type: { coding: [{ code: "EHCPOL", display: "extended healthcare" }] },
      subscriberId: "AB9876",
      relationship: { coding: [{ code: "self" }] },
      period: { start: "2011-03-17", end: "2012-03-17" },
      payor: [{ display: "Acme Insurance" }],
      class: [
        { type: { coding: [{ code: "group" }] }, value: "WESTAIR", name: "Western Airlines" },
        { type: { coding: [{ code: "rxbin" }] }, value: "987654" }
      ],
      network: "5"
    }),
    `extended healthcare | EHCPOL | Cancelled
Period: 2011-03-17 to 2012-03-17
Payor: Acme Insurance
Subscriber id: AB9876
Relationship: Self
Plan: Group: Western Airlines (WESTAIR)
Pharmacy BIN: 987654
Network: 5`
  )
})

test("A policy without a type has the payer as title", () => {
  assert.strictEqual(
    rowFor({ resourceType: "Coverage", status: "draft", payor: [{ display: "The patient" }] }),
    `The patient | - | Draft
Payor: The patient`
  )
})

test("A policy entered in error is marked", () => {
  assert.strictEqual(
    rowFor({ resourceType: "Coverage", status: "entered-in-error" }),
    "Coverage | - | Entered in error | !Entered in error"
  )
})
