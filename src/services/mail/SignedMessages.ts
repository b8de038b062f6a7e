import { Webhook } from "standardwebhooks"

/**
 * Signs messages as Standard Webhooks (standardwebhooks.com). A secret with the prefix `whsec_` is base64; the bytes
 * of any other secret are the key. A message keeps its id when it is sent again.
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
