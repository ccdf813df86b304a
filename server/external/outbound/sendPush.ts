import { createECDH, createPrivateKey } from 'node:crypto'
import ece from 'http_ece'
import { SignJWT } from 'jose'
import type { SigningKey } from '../keys/readSigningKey.ts'
import { createPostText } from './outboundHttp.ts'

/** One notification for one browser. */
type PushAttempt = {
  /** Address and keys of the browser, the keys in base64url. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  payload: string
  /** How long the push service stores it for a browser that is offline. */
  ttlSeconds: number
  /** A waiting notification with the same topic is replaced: at most 32 letters and digits. */
  topic: string
  /** Epoch milliseconds. */
  now: number
}

/** `gone`: the browser does not take messages any more, or never did. */
type PushOutcome = 'sent' | 'gone' | 'failed'

/** Sends one notification once. @throws The signal's reason when it aborts. */
export type SendPush = (attempt: PushAttempt, signal: AbortSignal) => Promise<PushOutcome>

const TIMEOUT_MS = 10_000
/** The responses by which a push service says that a subscription has ended. Source: RFC 8030 §7.3. */
const GONE = [404, 410]
/** At most a day. Source: RFC 8292 §2. */
const VAPID_SECONDS = 12 * 60 * 60

type PushOptions = {
  allowPrivate: boolean
  key: SigningKey
  /** How a push service can reach the operator: a URL or a `mailto:`. */
  subject: string
}

/**
 * Creates the sender of browser notifications: encrypted for the browser (RFC 8291), signed for its push service (RFC 8292),
 * and sent by the guarded client, because the address comes from whoever subscribes.
 */
export function createSendPush({ allowPrivate, ...signer }: PushOptions): SendPush {
  const post = createPostText({ allowPrivate, timeoutMs: TIMEOUT_MS })
  return async ({ subscription, payload, ttlSeconds, topic, now }, signal) => {
    signal.throwIfAborted()
    const text = encrypt(payload, subscription.keys)
    if (text === null) return 'gone'
    const headers = {
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      TTL: String(ttlSeconds),
      Urgency: 'high',
      Topic: topic,
      Authorization: await buildVapid(signer, subscription.endpoint, now),
    }
    try {
      const status = await post(subscription.endpoint, { text, headers, signal })
      if (GONE.includes(status)) return 'gone'
      return status >= 200 && status < 300 ? 'sent' : 'failed'
    } catch {
      signal.throwIfAborted()
      return 'failed'
    }
  }
}

/** Null for a key that is no point of the curve: nothing can ever be encrypted for it. */
function encrypt(payload: string, { p256dh, auth }: PushAttempt['subscription']['keys']): Buffer | null {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  try {
    return ece.encrypt(Buffer.from(payload), {
      version: 'aes128gcm',
      ...{ privateKey, dh: p256dh, authSecret: auth },
    })
  } catch {
    return null
  }
}

/** Says who sends, to this push service only. Source: RFC 8292 §2, §3. */
async function buildVapid(
  { key, subject }: Pick<PushOptions, 'key' | 'subject'>,
  endpoint: string,
  now: number,
): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now / 1000) + VAPID_SECONDS)
    .setSubject(subject)
    .sign(createPrivateKey({ key, format: 'jwk' }))
  return `vapid t=${token}, k=${encodePublicKey(key)}`
}

/** The public key as browsers take it: an uncompressed point in base64url. Source: RFC 8292 §3.2. */
export function encodePublicKey({ x, y }: Pick<SigningKey, 'x' | 'y'>): string {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
}
