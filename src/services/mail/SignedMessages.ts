import { Webhook } from "standardwebhooks"

/**
 * Writes messages as Standard Webhooks has them (standardwebhooks.com). A secret that was made for it says so by its prefix, and is
 * base64; of any other its bytes are the key. A message keeps its id however often it is sent.
 */
export const signedMessages = (secret: string) => {
  const webhook = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" })
  return (id: string, message: object) => {
    const [now, body] = [new Date(), JSON.stringify(message)]
    return {
      headers: {
        "content-type": "application/json",
        "user-agent": "veteran-records-sharing",
        "webhook-id": id,
        "webhook-timestamp": `${Math.floor(now.getTime() / 1000)}`,
        "webhook-signature": webhook.sign(id, now, body)
      },
      body
    }
  }
}
