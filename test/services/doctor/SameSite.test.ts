import { assert, test } from "vitest"
import { isSameSite } from "../../../src/services/doctor/SameSite.ts"

test.each<[string, string, boolean]>([
  ["https://portal.example.org", "https://api.example.org", true],
  ["https://example.org", "https://api.example.org:8443", true],
  ["https://portal.example.org", "http://api.example.org", false],
  ["https://portal.example.org", "https://api.example.com", false],
  ["https://portal.clinic.co.uk", "https://api.clinic.co.uk", true],
  ["https://portal.co.uk", "https://api.co.uk", false],
  ["https://va.gov", "https://portal.va.gov", true],
  ["http://localhost:8081", "http://localhost:8080", true],
  ["http://127.0.0.1", "http://127.0.0.2", false],
  ["http://10.0.0.1:81", "http://10.0.0.1:80", true],
  ["http://[::1]:81", "http://[::1]:80", true],
  ["https://portal.example.org.", "https://api.example.org", true]
])("The origins %s and %s are on one site: %s", (one, other, expected) => {
  assert.strictEqual(isSameSite(one, other), expected)
  assert.strictEqual(isSameSite(other, one), expected)
})
