import { assert, test } from "vitest"
import { accountNotice } from "../../../src/services/mail/AccountMails.ts"
import { together } from "../../../src/services/mail/SeveralMails.ts"

const mails = (count: number) =>
  Array.from({ length: count }, (_, day) => accountNotice("eagle@example.org", "new_device", new Date(2026, 0, day)))

test.each([
  [100, ""],
  [101, "one more mail"],
  [250, "150 more mails"]
])("A mail for %d mails tells 100 of them, and counts the others", (count, others) => {
  const [first, ...more] = mails(count)
  const { text, to } = together([first!, ...more])
  assert.strictEqual(to, "eagle@example.org")
  assert.lengthOf(text.match(/^A new device signed in /gm)!, 100)
  assert.lengthOf(text.match(/^Un dispositivo nuevo inició sesión /gm)!, 100)
  assert.strictEqual(text.includes("would have sent you"), others !== "")
  assert.include(text, others)
})
