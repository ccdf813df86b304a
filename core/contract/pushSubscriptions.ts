import { z } from 'zod'
import { done, success } from './envelope.ts'

/** Bytes as base64url without padding. Source: Push API §8. */
const bytes = (length: number) => z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((length * 4) / 3)}}$`))

const subscription = z.object({
  id: z.string(),
  browser: z.string().nullable().describe('Null if the client is unknown'),
  createdAt: z.string(),
})

/** A browser that is notified of approvals, without its address. */
export type PushSubscriptionView = z.output<typeof subscription>

export const postPushSubscriptionBody = z.object({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .describe('Of the browser’s push service'),
  keys: z
    .object({ p256dh: bytes(65), auth: bytes(16) })
    .describe('As `PushSubscription.toJSON()` returns them'),
})

/** Request and response schemas of the operations, by method and path. */
export const pushSubscriptionOperations = {
  'GET /api/push-subscriptions': {
    answer: success({
      publicKey: z.string().describe('`applicationServerKey` for `PushManager.subscribe()`'),
      items: z.array(subscription),
    }),
  },
  'POST /api/push-subscriptions': {
    body: postPushSubscriptionBody,
    answer: success({ subscription }),
  },
  'DELETE /api/push-subscriptions/:id': { answer: done },
} as const
